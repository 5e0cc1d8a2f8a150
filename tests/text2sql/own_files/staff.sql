CREATE TABLE employees (emp_id INTEGER PRIMARY KEY, full_name VARCHAR, department VARCHAR, hire_date DATE, termination_date DATE, salary BIGINT, gender VARCHAR);
INSERT INTO employees SELECT n, 'Person ' || CAST(n AS VARCHAR), ['Engineering', 'Sales', 'Support'][1 + n % 3], DATE '2018-01-08' + CAST(n * 23 AS INTEGER),
  CASE WHEN n % 5 = 0 THEN DATE '2022-01-10' + CAST(n * 12 AS INTEGER) END, 40000 + (n * 7919) % 53 * 1000, CASE WHEN n * 3 % 7 < 3 THEN 'F' ELSE 'M' END FROM range(1, 91) AS rows(n);
