CREATE TABLE clients (id INTEGER PRIMARY KEY, full_name VARCHAR, country VARCHAR, joined_at DATE);
CREATE TABLE purchases (
    id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (id), purchased_at TIMESTAMP, amount DECIMAL(9, 2),
    channel VARCHAR
);
INSERT INTO clients
SELECT n, 'Client ' || n, ['Peru', 'Chile'][n % 2 + 1], DATE '2018-01-01' + CAST(n * 11 AS INTEGER) FROM range(1, 41) t(n);
INSERT INTO purchases
SELECT n, n * 3 % 40 + 1, TIMESTAMP '2018-02-01 10:00:00' + INTERVAL (n * 4) DAY, 10 + n * 17 % 91, ['Web', 'Shop'][n % 3 % 2 + 1]
FROM range(300) t(n);
