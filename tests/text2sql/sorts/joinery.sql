-- A joiner's jobs: how pressing they are and how they stand in everyday words, and bills with a state of their own.
CREATE TABLE households (household_id INTEGER PRIMARY KEY, surname VARCHAR, town VARCHAR, first_paid_on DATE);
CREATE TABLE jobs (job_id INTEGER PRIMARY KEY, household_id INTEGER REFERENCES households (household_id), trade VARCHAR, urgency VARCHAR, booked_on DATE, finished_on DATE, ceiling_m DOUBLE);
CREATE TABLE bills (bill_id INTEGER PRIMARY KEY, household_id INTEGER REFERENCES households (household_id), state VARCHAR, billed_on DATE, total DOUBLE);
INSERT INTO households SELECT i, 'Family ' || chr((64 + i)::INTEGER), ['Stroud', 'Tetbury', 'Nailsworth'][1 + i % 3], CASE WHEN i % 4 > 0 THEN DATE '2023-01-01' + i::INTEGER END FROM range(1, 21) t(i);
INSERT INTO jobs SELECT i, 1 + (i * 7) % 20, ['Stairs', 'Doors', 'Floors'][1 + i % 3], ['low', 'normal', 'high', 'pressing'][1 + (i * 5) % 4], DATE '2024-01-02' + i::INTEGER, CASE WHEN i % 5 > 0 THEN DATE '2024-01-20' + (2 * i)::INTEGER END, 1.9 + i % 3 FROM range(1, 141) t(i);
INSERT INTO bills SELECT i, 1 + (i * 3) % 20, ['open', 'settled', 'void'][1 + (i * 5) % 3], DATE '2024-02-01' + i::INTEGER, 40 + (i * 37) % 500 FROM range(1, 121) t(i);
