CREATE TABLE timesheets ("Date" DATE, "Employee" VARCHAR, "Client" VARCHAR, "Task" VARCHAR, "Hours" DOUBLE, "Billable" BOOLEAN, "Hourly Rate" BIGINT);
INSERT INTO timesheets
SELECT DATE '2024-01-01' + CAST(n // 9 AS INTEGER),
  CASE (n % 9) // 3 WHEN 0 THEN 'Priya Nair' WHEN 1 THEN 'Tom Weiss' ELSE 'Lena Olsen' END,
  CASE (n * 5) % 4 WHEN 0 THEN 'Northbank' WHEN 1 THEN 'Helix Labs' WHEN 2 THEN 'Orchard Co' ELSE 'Internal' END,
  CASE n % 4 WHEN 0 THEN 'Design' WHEN 1 THEN 'Meeting' WHEN 2 THEN 'Research' ELSE 'Travel' END,
  1.5 + (n % 7) * 0.5, (n * 5) % 4 <> 3, CASE (n % 9) // 3 WHEN 0 THEN 95 WHEN 1 THEN 80 ELSE 110 END
FROM range(1800) AS rows(n) WHERE dayofweek(DATE '2024-01-01' + CAST(n // 9 AS INTEGER)) BETWEEN 1 AND 5;
