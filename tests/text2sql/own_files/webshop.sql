CREATE TABLE orders_export ("Name" VARCHAR, "Email" VARCHAR, "Financial Status" VARCHAR, "Paid at" VARCHAR, "Fulfillment Status" VARCHAR, "Fulfilled at" VARCHAR, "Subtotal" DOUBLE, "Total" DOUBLE, "Discount Amount" DOUBLE, "Created at" TIMESTAMP, "Lineitem quantity" BIGINT, "Lineitem name" VARCHAR, "Lineitem price" DOUBLE, "Billing Country" VARCHAR, "Source" VARCHAR);
INSERT INTO orders_export
WITH lines AS (
  SELECT n // 3 AS o, n % 3 AS line, n FROM range(360) AS rows(n) WHERE n % 3 <= (n // 3) % 3
), told AS (
  SELECT *, TIMESTAMP '2023-03-01 09:30:00' + INTERVAL (o * 4) DAY AS made,
    CASE (o * 2 + line) % 4 WHEN 0 THEN 'Linen Apron' WHEN 1 THEN 'Oak Board' WHEN 2 THEN 'Salt Pig' ELSE 'Gift Card' END AS item,
    CASE (o * 2 + line) % 4 WHEN 0 THEN 38.0 WHEN 1 THEN 54.0 WHEN 2 THEN 22.5 ELSE 25.0 END AS price,
    1 + (o + line) % 3 AS pieces
  FROM lines
), sums AS (SELECT *, sum(price * pieces) OVER (PARTITION BY o) AS subtotal FROM told)
SELECT '#' || CAST(1001 + o AS VARCHAR), 'c' || CAST((o * o) % 47 AS VARCHAR) || '@example.com',
  CASE WHEN line = 0 THEN CASE WHEN o % 9 = 4 THEN 'pending' ELSE 'paid' END END,
  CASE WHEN line = 0 AND o % 9 <> 4 THEN strftime(made, '%Y-%m-%d %H:%M:%S') || ' +0000' END,
  CASE WHEN line = 0 THEN CASE WHEN o % 7 = 3 THEN 'unfulfilled' ELSE 'fulfilled' END END,
  CASE WHEN line = 0 AND o % 7 <> 3 THEN strftime(made + INTERVAL 2 DAY, '%Y-%m-%d %H:%M:%S') || ' +0000' END,
  CASE WHEN line = 0 THEN subtotal END, CASE WHEN line = 0 THEN subtotal + 5 END, CASE WHEN line = 0 THEN (o % 3) * 2.0 END,
  made, pieces, item, price,
  CASE WHEN line = 0 THEN CASE o % 3 WHEN 0 THEN 'GB' WHEN 1 THEN 'DE' ELSE 'FR' END END,
  CASE WHEN line = 0 THEN CASE o % 2 WHEN 0 THEN 'web' ELSE 'pos' END END
FROM sums ORDER BY n;
