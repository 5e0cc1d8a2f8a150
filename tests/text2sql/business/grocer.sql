-- A delicatessen that delivers: clients, some of whom never ordered, their orders and what is in them.
CREATE TABLE clients (client_id INTEGER PRIMARY KEY, client_name VARCHAR, region VARCHAR, signup_date DATE);
CREATE TABLE products (product_id INTEGER PRIMARY KEY, product_name VARCHAR, category VARCHAR, price DECIMAL(8,2));
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients (client_id), ordered_at TIMESTAMP, channel VARCHAR, order_total DECIMAL(10,2));
CREATE TABLE order_lines (line_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (order_id), product_id INTEGER NOT NULL REFERENCES products (product_id), pieces INTEGER, line_amount DECIMAL(10,2));
INSERT INTO clients SELECT i, 'Client ' || i, ['North','South','West','East'][1 + (i // 3) % 4], DATE '2023-01-05' + CAST(6 * i AS INTEGER) FROM range(1, 81) t(i);
INSERT INTO products SELECT i, 'Product ' || i, ['Cheese','Wine','Olives'][1 + i % 3], 3 + (i * 11) % 23 FROM range(1, 25) t(i);
INSERT INTO orders SELECT i, c, (SELECT signup_date FROM clients WHERE client_id = c) + INTERVAL ((i * i * 5) % 420) DAY + INTERVAL (8 + (i * 7) % 12) HOUR, ['shop','phone','web'][1 + i % 3], 0 FROM (SELECT i, 1 + (hash(i) % 90) % 64 AS c FROM range(1, 241) t(i));
INSERT INTO order_lines SELECT i, 1 + (i * 7) % 240, 1 + hash(i * 3) % 24, 1 + hash(i) % 4, 0 FROM range(1, 601) t(i);
UPDATE order_lines SET line_amount = pieces * (SELECT price FROM products WHERE products.product_id = order_lines.product_id);
UPDATE orders SET order_total = (SELECT coalesce(sum(line_amount), 0) FROM order_lines WHERE order_lines.order_id = orders.order_id);
