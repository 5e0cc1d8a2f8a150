CREATE TABLE shippers (shipper_id INTEGER PRIMARY KEY, company_name VARCHAR);
INSERT INTO shippers VALUES (1, 'Quick Post'), (2, 'Blue Van'), (3, 'Rail Freight');
CREATE TABLE categories (category_id INTEGER PRIMARY KEY, category_name VARCHAR);
INSERT INTO categories VALUES (1, 'Tools'), (2, 'Paint'), (3, 'Timber');
CREATE TABLE products (
  product_id INTEGER PRIMARY KEY, product_name VARCHAR, category_id INTEGER REFERENCES categories (category_id),
  unit_price DECIMAL(8, 2), units_in_stock INTEGER, units_on_order INTEGER
);
INSERT INTO products VALUES
  (1, 'Hammer', 1, 20.00, 40, 0), (2, 'Saw', 1, 35.00, 12, 10), (3, 'White Paint', 2, 15.00, 90, 0),
  (4, 'Varnish', 2, 25.00, 0, 30), (5, 'Oak Board', 3, 60.00, 25, 5);
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, company_name VARCHAR, country VARCHAR);
INSERT INTO customers VALUES (1, 'Arden Ltd', 'Ireland'), (2, 'Bruun A/S', 'Denmark'), (3, 'Castro', 'Portugal'),
  (4, 'Dahl A/S', 'Denmark');
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (customer_id), order_date DATE,
  ship_via INTEGER REFERENCES shippers (shipper_id), freight DECIMAL(8, 2)
);
INSERT INTO orders VALUES
  (1, 1, DATE '2024-02-03', 1, 12.50), (2, 2, DATE '2024-03-11', 2, 30.00), (3, 2, DATE '2024-06-21', 2, 8.00),
  (4, 3, DATE '2025-01-15', 1, 55.00), (5, 4, DATE '2025-02-02', 3, 20.00), (6, 2, DATE '2025-05-30', 3, 14.00),
  (7, 1, DATE '2025-07-07', 1, 9.50), (8, 4, DATE '2025-08-19', 2, 11.00);
CREATE TABLE order_details (
  order_id INTEGER REFERENCES orders (order_id), product_id INTEGER REFERENCES products (product_id),
  unit_price DECIMAL(8, 2), quantity INTEGER, discount DOUBLE, PRIMARY KEY (order_id, product_id)
);
INSERT INTO order_details VALUES
  (1, 1, 18.00, 5, 0.0), (1, 3, 14.00, 10, 0.1), (2, 2, 33.00, 2, 0.0), (3, 5, 58.00, 3, 0.0), (4, 4, 25.00, 8, 0.2),
  (4, 1, 20.00, 1, 0.0), (5, 5, 60.00, 2, 0.0), (6, 3, 15.00, 20, 0.15), (6, 2, 35.00, 1, 0.0), (7, 1, 20.00, 4, 0.0),
  (8, 4, 24.00, 6, 0.0);
CREATE TABLE ad_spend (spend_id INTEGER PRIMARY KEY, spent_on DATE, country VARCHAR, spend DECIMAL(8, 2));
INSERT INTO ad_spend VALUES (1, DATE '2024-01-20', 'Ireland', 50.00), (2, DATE '2024-11-05', 'Denmark', 70.00),
  (3, DATE '2025-03-01', 'Denmark', 40.00), (4, DATE '2025-09-09', 'Portugal', 65.00);
