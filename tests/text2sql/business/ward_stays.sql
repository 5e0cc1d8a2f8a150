-- A clinic: who was admitted, and whose discharge is a row of its own; what was only expected is beside.
CREATE TABLE admissions (admission_id INTEGER PRIMARY KEY, kind VARCHAR, booked_on DATE, admitted_at TIMESTAMP, expected_discharge_on DATE);
CREATE TABLE discharges (discharge_id INTEGER PRIMARY KEY, admission_id INTEGER NOT NULL REFERENCES admissions (admission_id), medically_fit_at TIMESTAMP, discharged_at TIMESTAMP);
INSERT INTO admissions SELECT i, ['planned','emergency'][1 + i % 2], DATE '2024-01-01' + CAST(i AS INTEGER), TIMESTAMP '2024-01-10 09:00:00' + INTERVAL (i) DAY, DATE '2024-01-14' + CAST(i AS INTEGER) FROM range(1, 41) t(i);
INSERT INTO discharges SELECT i, i, a + INTERVAL 1 DAY, a + INTERVAL (1 + (i * 3) % 11) DAY FROM (SELECT admission_id i, admitted_at a FROM admissions WHERE admission_id <= 36);
