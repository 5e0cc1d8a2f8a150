CREATE TABLE harbours (harbour_id INTEGER PRIMARY KEY, harbour_name VARCHAR, city VARCHAR);
INSERT INTO harbours VALUES (1, 'Sandy Bay', 'Ryde'), (2, 'Old Quay', 'Cowes'), (3, 'North Basin', 'Poole');
CREATE TABLE berth_types (type_code VARCHAR PRIMARY KEY, type_name VARCHAR);
INSERT INTO berth_types VALUES ('P', 'Pontoon'), ('B', 'Buoy'), ('D', 'Dry stand');
CREATE TABLE berths (berth_id INTEGER PRIMARY KEY, harbour_id INTEGER REFERENCES harbours (harbour_id), type_code VARCHAR REFERENCES berth_types (type_code));
INSERT INTO berths SELECT n, n % 3 + 1, ['P', 'B', 'D'][n % 4 % 3 + 1] FROM range(1, 25) t(n);
CREATE TABLE skippers (skipper_id INTEGER PRIMARY KEY, full_name VARCHAR, country VARCHAR, phone VARCHAR, registered_on DATE);
INSERT INTO skippers SELECT n, ['Ann Lee', 'Bo Dahl', 'Cy Orr', 'Di Ash', 'Ed Voss', 'Flo Kern', 'Gus Hol', 'Hal Ito'][n],
  ['Norway', 'Ireland', 'Norway', 'France'][n % 4 + 1], CASE WHEN n % 3 > 0 THEN '070-' || (100 + n) END, DATE '2022-01-10' + CAST(n * 25 AS INTEGER)
FROM range(1, 9) t(n);
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, full_name VARCHAR, job_title VARCHAR, harbour_id INTEGER REFERENCES harbours (harbour_id), hired_on DATE, left_on DATE);
INSERT INTO staff VALUES
  (1, 'Ivo Penn', 'Harbour Manager', 1, '2019-03-01', NULL), (2, 'Jo Rusk', 'Harbour Manager', 2, '2020-05-01', NULL),
  (3, 'Kit Sand', 'Sales Advisor', 1, '2020-06-01', NULL), (4, 'Lu Tam', 'Sales Advisor', 2, '2021-01-15', '2024-02-29'),
  (5, 'Mo Urs', 'Rigger', 1, '2021-08-01', NULL), (6, 'Ned Vik', 'Rigger', 3, '2022-02-01', '2023-09-30'), (7, 'Ona Wye', 'Sales Advisor', 3, '2022-03-01', NULL);
CREATE TABLE leases (
  lease_id INTEGER PRIMARY KEY, skipper_id INTEGER REFERENCES skippers (skipper_id), berth_id INTEGER REFERENCES berths (berth_id),
  signed_by_staff_id INTEGER REFERENCES staff (staff_id), signed_on DATE, move_in_date DATE, move_out_date DATE, monthly_fee DOUBLE, lease_status VARCHAR
);
INSERT INTO leases SELECT n, n % 7 + 1, n % 24 + 1, [3, 4, 7, 3][n % 4 + 1], DATE '2022-11-05' + CAST(n * 13 AS INTEGER),
  DATE '2022-11-05' + CAST(n * 13 + 3 + n % 5 AS INTEGER), CASE WHEN n % 3 > 0 THEN DATE '2022-11-05' + CAST(n * 13 + 150 + n % 40 AS INTEGER) END,
  100 + 20 * (n % 6), CASE WHEN n % 3 > 0 THEN 'ended' ELSE 'active' END
FROM range(1, 41) t(n);
CREATE TABLE bills (
  bill_id INTEGER PRIMARY KEY, lease_id INTEGER REFERENCES leases (lease_id), issued_on DATE, due_on DATE, paid_on DATE, net_amount DOUBLE,
  gross_amount DOUBLE, bill_status VARCHAR
);
INSERT INTO bills SELECT n, n % 40 + 1, DATE '2023-01-04' + CAST(n * 6 AS INTEGER), DATE '2023-01-18' + CAST(n * 6 AS INTEGER),
  CASE WHEN n % 7 > 0 THEN DATE '2023-01-04' + CAST(n * 6 + 5 + n * 11 % 31 AS INTEGER) END, 100 + n, 125 + 1.25 * n,
  CASE WHEN n % 7 > 0 THEN 'paid' WHEN n % 14 = 0 THEN 'cancelled' ELSE 'unpaid' END
FROM range(1, 91) t(n);
CREATE TABLE defects (defect_id INTEGER PRIMARY KEY, berth_id INTEGER REFERENCES berths (berth_id), reported_on DATE, resolved_on DATE, severity VARCHAR, cost DOUBLE);
INSERT INTO defects SELECT n, n % 24 + 1, DATE '2023-01-08' + CAST(n * 9 AS INTEGER),
  CASE WHEN n % 8 > 0 THEN DATE '2023-01-08' + CAST(n * 9 + 2 + n * 7 % 40 AS INTEGER) END, ['low', 'medium', 'high', 'low'][n % 4 + 1], 10 + n
FROM range(1, 56) t(n);
