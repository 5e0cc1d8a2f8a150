CREATE TABLE superstore (
    "Row ID" BIGINT, "Order ID" VARCHAR, "Order Date" DATE, State VARCHAR, "Sub-Category" VARCHAR, Sales DOUBLE, Profit DOUBLE
);
INSERT INTO superstore SELECT
    n, 'CA-' || n // 2, DATE '2024-01-01' + CAST(n AS INTEGER), ['Ohio', 'Texas', 'Utah', 'Iowa', 'Maine'][n % 5 + 1],
    ['Tables', 'Chairs', 'Phones'][n % 3 + 1], 20 + n * 17 % 300, n * 17 % 100 - 30 - (n % 5) * 12
FROM range(1, 401) t(n);
