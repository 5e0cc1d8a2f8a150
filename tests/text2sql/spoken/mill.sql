CREATE TABLE buyers (buyer_id INTEGER PRIMARY KEY, buyer_name TEXT, signup_date DATE);
INSERT INTO buyers VALUES (1, 'Aria', '2023-01-02'), (2, 'Ben', '2023-02-03'), (3, 'Ben', '2024-03-04'),
  (4, 'Ben', '2024-04-05'), (5, 'Ben', '2024-05-06'), (6, 'Aria', '2024-06-07');
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers, order_date DATE);
INSERT INTO orders VALUES (1, 1, '2023-02-01'), (2, 1, '2023-08-02');
CREATE TABLE order_lines (line_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders, quantity INTEGER, unit_price DECIMAL(8, 2),
  line_tax DECIMAL(8, 2));
INSERT INTO order_lines VALUES (1, 1, 2, 10.00, 0.80), (2, 2, 1, 25.00, 2.00);
