CREATE TABLE statement ("Transaction Date" DATE, "Transaction Description" VARCHAR, "Category" VARCHAR, "Transaction Type" VARCHAR, "Debit Amount" DOUBLE, "Credit Amount" DOUBLE, "Balance" DOUBLE);
INSERT INTO statement
WITH moves AS (
  SELECT DATE '2023-01-01' + CAST(n * 3 AS INTEGER) AS day, n,
    CASE WHEN n % 10 = 0 THEN 'ACME PAYROLL' WHEN n % 10 = 1 THEN 'LANDLORD LTD' WHEN n % 10 IN (2, 5) THEN 'ALDI 77'
      WHEN n % 10 IN (3, 8) THEN 'TRAINLINE' WHEN n % 10 IN (4, 7) THEN 'NANDOS' ELSE 'NETFLIX.COM' END AS what,
    CASE WHEN n % 10 = 0 THEN 'Salary' WHEN n % 10 = 1 THEN 'Rent' WHEN n % 10 IN (2, 5) THEN 'Groceries'
      WHEN n % 10 IN (3, 8) THEN 'Transport' WHEN n % 10 IN (4, 7) THEN 'Eating out' ELSE 'Subscriptions' END AS kind,
    CASE WHEN n % 10 = 0 THEN 2850 + n ELSE 0 END AS came_in,
    CASE WHEN n % 10 = 0 THEN 0 WHEN n % 10 = 1 THEN 1150 WHEN n % 10 IN (2, 5) THEN 40 + n % 37
      WHEN n % 10 IN (3, 8) THEN 12 + n % 11 WHEN n % 10 IN (4, 7) THEN 20 + n % 13 ELSE 10.5 END AS went_out
  FROM range(220) AS rows(n)
)
SELECT day, what, kind, CASE WHEN came_in > 0 THEN 'FPI' ELSE 'DEB' END, nullif(went_out, 0), nullif(came_in, 0),
  1000 + sum(came_in - went_out) OVER (ORDER BY n)
FROM moves ORDER BY n;
