CREATE TABLE sold (sold_id INTEGER PRIMARY KEY, aisle VARCHAR, returnflag VARCHAR, sold_on DATE, price DECIMAL(8, 2));
INSERT INTO sold
SELECT n, ['Left', 'Mid', 'Right'][1 + n % 3], CASE WHEN n % 5 = 0 OR n % 9 = 1 THEN 'R' WHEN n % 2 = 0 THEN 'A' ELSE 'N' END,
    DATE '2024-01-01' + CAST(n AS INTEGER), 5 + n % 8 FROM range(1, 101) AS numbers(n);
