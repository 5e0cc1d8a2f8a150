-- A car-sharing company: cars bought and sold, mechanics hired and left, garages opened and closed, jobs with fault codes.
CREATE TABLE garages (garage_id INTEGER PRIMARY KEY, garage_name VARCHAR, year_built INTEGER, opened_on DATE, closed_on DATE);
INSERT INTO garages VALUES (1, 'Harbour', 1969, '2019-05-01', NULL), (2, 'Station', 1987, '2021-03-15', '2025-04-30'),
  (3, 'Airport', 2004, '2022-10-01', NULL), (4, 'Market', 1951, '2025-02-01', NULL);
CREATE TABLE mechanics (mechanic_id INTEGER PRIMARY KEY, full_name VARCHAR, garage_id INTEGER REFERENCES garages(garage_id),
  hired_on DATE, left_on DATE);
INSERT INTO mechanics SELECT n, 'Mechanic ' || n, 1 + n % 4, DATE '2020-02-10' + (n * 97)::INTEGER,
  CASE WHEN n % 4 = 0 THEN DATE '2020-02-10' + (n * 97 + 420)::INTEGER END FROM range(1, 21) t(n);
CREATE TABLE cars (car_id INTEGER PRIMARY KEY, plate VARCHAR, garage_id INTEGER REFERENCES garages(garage_id), purchased_on DATE,
  sold_on DATE, monthly_fee DECIMAL(8, 2));
INSERT INTO cars SELECT n, 'CS-' || (100 + n), 1 + n % 3, DATE '2022-01-15' + (n * 41)::INTEGER,
  CASE WHEN n % 3 = 0 THEN DATE '2022-01-15' + (n * 41 + 500)::INTEGER END, 20 + n FROM range(1, 31) t(n);
CREATE TABLE jobs (job_id INTEGER PRIMARY KEY, car_id INTEGER REFERENCES cars(car_id), mechanic_id INTEGER REFERENCES mechanics(mechanic_id),
  fault_code VARCHAR, pay_code VARCHAR, reported_on DATE, done_on DATE, cost DECIMAL(8, 2));
INSERT INTO jobs SELECT n, 1 + n % 30, 1 + n % 20, ['ELE', 'BRK', 'ENG', 'TYR'][1 + n % 4], ['MO', 'CC', 'BT'][1 + n % 3],
  DATE '2024-01-03' + (n * 3)::INTEGER, CASE WHEN n % 17 <> 0 THEN DATE '2024-01-03' + (n * 3 + n * 5 % 19)::INTEGER END, 40 + n * 31 % 270
  FROM range(1, 241) t(n);
CREATE TABLE members (member_id INTEGER PRIMARY KEY, member_name VARCHAR, joined_on DATE);
INSERT INTO members SELECT n, 'Member ' || n, DATE '2023-06-01' + (n * 19)::INTEGER FROM range(1, 26) t(n);
CREATE TABLE rides (ride_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members(member_id), ridden_on DATE, distance_km INTEGER);
INSERT INTO rides SELECT n, 1 + n * n % 25, DATE '2023-09-01' + (n * 9)::INTEGER, 5 + n * 7 % 60 FROM range(1, 91) t(n);
CREATE TABLE fee_payments (payment_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members(member_id), due_date DATE, amount_due DECIMAL(8, 2),
  paid_date DATE, amount_paid DECIMAL(8, 2));
INSERT INTO fee_payments SELECT n, 1 + n % 25, DATE '2024-01-01' + (n * 6)::INTEGER, 20 + n % 7, DATE '2024-01-01' + (n * 6 + n * 5 % 13)::INTEGER,
  20 + n % 7 FROM range(1, 111) t(n);
