CREATE TABLE client (client_id INTEGER PRIMARY KEY, client_name VARCHAR, country VARCHAR);
CREATE TABLE article (article_id INTEGER PRIMARY KEY, article_name VARCHAR, category VARCHAR);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES client, ordered_on DATE, channel VARCHAR, revenue DECIMAL(10, 2));
CREATE TABLE order_line (order_line_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders, article_id INTEGER REFERENCES article, quantity INTEGER, is_returned BOOLEAN);
CREATE TABLE returned_parcel (parcel_id INTEGER PRIMARY KEY, order_line_id INTEGER REFERENCES order_line, received_on DATE, refund DECIMAL(10, 2));
INSERT INTO client SELECT n, 'Client ' || n, ['Chile', 'Peru', 'Cuba'][1 + n % 3] FROM range(1, 31) AS numbers(n);
INSERT INTO article SELECT n, 'Article ' || n, ['Tea', 'Cups', 'Pots'][1 + n % 3] FROM range(1, 16) AS numbers(n);
INSERT INTO orders
SELECT n, 1 + n % 22, DATE '2024-01-01' + 5 * CAST(n AS INTEGER), ['Web', 'Phone'][1 + n % 2], 20 + n % 9 FROM range(1, 81) AS numbers(n);
INSERT INTO order_line
SELECT n, 1 + n % 80, 1 + n % 15, 1 + n % 4, n % 6 = 0 OR n % 7 = 0 FROM range(1, 201) AS numbers(n);
INSERT INTO returned_parcel
SELECT order_line_id, order_line_id, DATE '2024-06-01' + CAST(order_line_id AS INTEGER), 5 + order_line_id % 4 FROM order_line WHERE is_returned;
