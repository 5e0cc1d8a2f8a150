-- A web shop whose orders keep the moment and its day; campaigns are called after days; a table holds all days.
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, customer_name VARCHAR NOT NULL, country VARCHAR NOT NULL, signup_date DATE NOT NULL);
INSERT INTO customers SELECT n, list_element(['Ann', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Hal'], n) || ' ' || list_element(['Abel', 'Berg', 'Cole', 'Dorn'], 1 + n % 4),
  list_element(['Austria', 'France', 'Spain'], 1 + n % 3), DATE '2024-01-05' + (n * 97)::INTEGER FROM range(1, 9) t(n);
CREATE TABLE products (product_id INTEGER PRIMARY KEY, product_name VARCHAR NOT NULL, category VARCHAR NOT NULL, price DECIMAL(8, 2) NOT NULL, cost DECIMAL(8, 2) NOT NULL);
INSERT INTO products SELECT n, list_element(['Lamp', 'Mug', 'Rug', 'Kite', 'Clock', 'Stool', 'Shelf', 'Vase', 'Tray', 'Bench', 'Globe', 'Puzzle'], n),
  list_element(['Home', 'Toys'], 1 + n % 2), 10 + n * 7 % 60, 40 - n * 3 FROM range(1, 13) t(n);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (customer_id), ordered_at TIMESTAMP NOT NULL,
  order_date DATE NOT NULL, status VARCHAR NOT NULL, revenue DECIMAL(8, 2) NOT NULL);
INSERT INTO orders SELECT n, CASE WHEN n % 5 = 0 THEN 1 ELSE 1 + n % 7 END, moment, moment::DATE, list_element(['completed', 'pending', 'cancelled'], 1 + n * n % 3), 20 + n * 13 % 90
  FROM (SELECT n, TIMESTAMP '2024-01-02 09:30:00' + INTERVAL (n * 5) DAY + INTERVAL (n * 107 % 660) MINUTE AS moment FROM range(0, 145) t(n));
CREATE TABLE order_lines (order_line_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (order_id), product_id INTEGER NOT NULL REFERENCES products (product_id), quantity INTEGER NOT NULL);
INSERT INTO order_lines SELECT n, n % 145, 1 + n * 7 % 11, 1 + n % 3 FROM range(0, 200) t(n);
CREATE TABLE marketing_spend (spend_id INTEGER PRIMARY KEY, spend_date DATE NOT NULL, campaign VARCHAR NOT NULL, spend DECIMAL(8, 2) NOT NULL);
INSERT INTO marketing_spend SELECT n, DATE '2024-01-03' + (n * 7)::INTEGER, list_element(['Always On', 'Black Friday', 'Spring Sale'], 1 + n % 3), 10 + n % 9 FROM range(0, 100) t(n);
CREATE TABLE time_spine AS SELECT unnest(generate_series(DATE '2020-01-01', DATE '2029-12-31', INTERVAL 1 DAY))::DATE AS date_day;
