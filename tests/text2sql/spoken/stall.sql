CREATE TABLE clients (client_id INTEGER PRIMARY KEY, client_name TEXT, email TEXT, signup_date DATE);
INSERT INTO clients VALUES (1, 'Aria', 'a@x.io', '2023-01-02'), (2, 'Ben', 'b@x.io', '2023-02-03'), (3, 'Cleo', 'c@x.io', '2024-03-04');
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients, channel TEXT, order_date DATE,
  revenue DECIMAL(8, 2));
INSERT INTO orders VALUES (1, 1, 'Web', '2023-02-01', 30.00), (2, 1, 'Phone', '2023-08-02', 90.00), (3, 2, 'Web', '2023-11-03', 60.00),
  (4, 1, 'Web', '2024-02-04', 12.50), (5, 2, 'Phone', '2024-05-05', 20.00);
CREATE TABLE order_lines (line_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders, quantity INTEGER, amount DECIMAL(8, 2));
INSERT INTO order_lines VALUES (1, 1, 1, 10.00), (2, 1, 2, 20.00), (3, 2, 1, 90.00), (4, 3, 1, 60.00), (5, 4, 1, 12.50), (6, 5, 1, 20.00);
