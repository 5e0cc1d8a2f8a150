CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, customer_name VARCHAR, country VARCHAR, city VARCHAR, segment VARCHAR);
CREATE TABLE orders (
    order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (customer_id), status VARCHAR, priority VARCHAR,
    total DOUBLE, order_date DATE
);
CREATE TABLE vehicles (vehicle_id INTEGER PRIMARY KEY, vehicle_type VARCHAR, plate VARCHAR);
CREATE TABLE deliveries (
    delivery_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (order_id),
    vehicle_id INTEGER REFERENCES vehicles (vehicle_id), bike_id INTEGER
);
INSERT INTO customers SELECT
    n, 'Customer ' || n, ['Germany', 'USA', 'United Kingdom', 'France', 'Netherlands'][n % 5 + 1],
    CASE WHEN n % 6 > 0 THEN ['Bonn', 'Reno', 'Leeds', 'Lyon', 'Delft'][n % 5 + 1] END,
    ['Small Business', 'Corporate', 'Consumer'][n % 3 + 1]
FROM range(1, 41) t(n);
INSERT INTO orders SELECT
    n, n * 7 % 40 + 1, ['pending', 'completed', 'cancelled', 'On Road', 'refunded'][n % 5 + 1],
    ['1-URGENT', '2-HIGH', '3-LOW'][n % 3 + 1], 20 + n * 13 % 90, DATE '2024-01-01' + CAST(n * 5 AS INTEGER)
FROM range(1, 151) t(n);
INSERT INTO vehicles SELECT n, ['Truck', 'Van', 'Bike'][n % 3 + 1], 'P' || n FROM range(1, 8) t(n);
INSERT INTO deliveries SELECT n, n * 3 % 150 + 1, n % 7 + 1, n % 11 + 1 FROM range(1, 201) t(n);
