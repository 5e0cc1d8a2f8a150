CREATE TABLE branch (branch_id INTEGER PRIMARY KEY, branch_name VARCHAR, town VARCHAR);
CREATE TABLE employee (employee_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, job_title VARCHAR, hired_on DATE, left_on DATE, manager_id INTEGER REFERENCES employee (employee_id), branch_id INTEGER REFERENCES branch);
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, customer_type VARCHAR, town VARCHAR);
CREATE TABLE boat (boat_id INTEGER PRIMARY KEY, hull_number VARCHAR, boat_type VARCHAR, branch_id INTEGER REFERENCES branch, asking_price DECIMAL(10, 2));
CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, contract_number VARCHAR, boat_id INTEGER REFERENCES boat, customer_id INTEGER REFERENCES customer, salesperson_id INTEGER REFERENCES employee, branch_id INTEGER REFERENCES branch, sale_date DATE, cancelled_date DATE, status VARCHAR, sale_price DECIMAL(10, 2), discount_amount DECIMAL(10, 2));
CREATE TABLE trial_sail (trial_sail_id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boat, customer_id INTEGER REFERENCES customer, employee_id INTEGER REFERENCES employee, sailed_at TIMESTAMP);
CREATE TABLE repair_job (job_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, branch_id INTEGER REFERENCES branch, booked_on DATE, finished_on DATE, status VARCHAR, net_amount DECIMAL(10, 2), gross_amount DECIMAL(10, 2));
INSERT INTO branch VALUES (1, 'Quay', 'Hull'), (2, 'Lock', 'Ely'), (3, 'Mole', 'Hull');
INSERT INTO employee VALUES (1, 'Ada', 'Orr', 'Director', '2010-01-04', NULL, NULL, 1);
INSERT INTO employee VALUES
    (2, 'Bo', 'Pym', 'Sales Executive', '2015-03-02', NULL, 1, 1),
    (3, 'Cy', 'Quin', 'Sales Executive', '2016-05-09', '2024-02-29', 1, 2), (4, 'Di', 'Rey', 'Sales Executive', '2019-08-01', NULL, 1, 2),
    (5, 'Ed', 'Sol', 'Technician', '2012-09-10', '2023-11-30', 1, 1), (6, 'Fay', 'Tew', 'Technician', '2018-02-12', NULL, 1, 3),
    (7, 'Gus', 'Urn', 'Technician', '2020-06-15', '2024-07-31', 1, 3);
INSERT INTO customer
SELECT n, ['Ann', 'Ben', 'Cat', 'Dan'][1 + n % 4], 'Name' || n, ['private', 'business'][1 + n % 2], ['Ely', 'Hull', 'York'][1 + n % 3]
FROM range(1, 31) AS numbers(n);
INSERT INTO boat
SELECT n, 'HN' || (100 + n), ['dinghy', 'yacht', 'electric'][1 + n % 3], 1 + n % 3, 9000 + 700 * n
FROM range(1, 46) AS numbers(n);
INSERT INTO sale
SELECT n, 'C' || (500 + n), n, 1 + n % 19, 2 + n % 3, 1 + n % 3, DATE '2023-06-01' + 14 * CAST(n AS INTEGER),
    CASE WHEN n % 6 = 0 THEN DATE '2023-06-20' + 14 * CAST(n AS INTEGER) END, CASE WHEN n % 6 = 0 THEN 'cancelled' ELSE 'closed' END,
    8800 + 690 * n, 100 + n
FROM range(1, 41) AS numbers(n);
INSERT INTO trial_sail
SELECT n, 1 + n % 45, 1 + n % 25, 2 + n % 3, TIMESTAMP '2023-05-01 10:00:00' + INTERVAL (n) DAY FROM range(1, 61) AS numbers(n);
INSERT INTO repair_job
SELECT n, 1 + n % 13, 1 + n % 3, DATE '2024-01-01' + 4 * CAST(n AS INTEGER), CASE WHEN n % 9 > 0 THEN DATE '2024-01-03' + 5 * CAST(n AS INTEGER) END,
    CASE WHEN n % 9 > 0 THEN 'completed' ELSE 'in progress' END, 100 + 3 * n, (100 + 3 * n) * 1.25
FROM range(1, 61) AS numbers(n);
