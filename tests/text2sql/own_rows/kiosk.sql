CREATE TABLE goods (id INTEGER PRIMARY KEY, title VARCHAR, vendor VARCHAR, created_at TIMESTAMP);
CREATE TABLE orders (id INTEGER PRIMARY KEY, created_at TIMESTAMP, total_price DECIMAL(10, 2));
CREATE TABLE order_lines (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders, goods_id INTEGER REFERENCES goods, quantity INTEGER, price DECIMAL(10, 2));
CREATE TABLE transactions (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders, amount DECIMAL(10, 2), kind VARCHAR, created_at TIMESTAMP);
INSERT INTO goods SELECT n, 'Thing ' || n, ['Acme', 'Bolt', 'Cord'][1 + n % 3], TIMESTAMP '2024-01-01 08:00:00' FROM range(1, 13) AS numbers(n);
INSERT INTO orders SELECT n, TIMESTAMP '2024-02-01 09:00:00' + INTERVAL (n) DAY, 30 + n % 7 FROM range(1, 51) AS numbers(n);
INSERT INTO order_lines SELECT n, 1 + n % 50, 1 + n % 12, 1 + n % 3, 4 + n % 5 FROM range(1, 131) AS numbers(n);
INSERT INTO transactions SELECT n, n, 30 + n % 7, ['sale', 'refund'][1 + n % 2], TIMESTAMP '2024-02-01 10:00:00' + INTERVAL (n) DAY FROM range(1, 51) AS numbers(n);
