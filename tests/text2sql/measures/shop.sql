CREATE TABLE buyers (buyer_id INTEGER PRIMARY KEY, name VARCHAR, country VARCHAR, born_on DATE);
CREATE TABLE products (
    product_id INTEGER PRIMARY KEY, name VARCHAR, category VARCHAR, units_in_stock INTEGER, units_on_order INTEGER,
    reorder_level INTEGER, unit_price DOUBLE, unit_cost DOUBLE
);
CREATE TABLE sales (
    sale_id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers (buyer_id), channel VARCHAR, sold_on DATE,
    required_on DATE, shipped_on DATE, total_price DOUBLE, subtotal_price DOUBLE
);
CREATE TABLE sale_lines (
    line_id INTEGER PRIMARY KEY, sale_id INTEGER REFERENCES sales (sale_id),
    product_id INTEGER REFERENCES products (product_id), price DOUBLE, quantity INTEGER, discount DOUBLE
);
INSERT INTO buyers VALUES
    (1, 'Ann', 'Peru', '1990-05-01'), (2, 'Bob', 'Chile', '1980-02-03'), (3, 'Cid', 'Peru', '2000-07-09');
INSERT INTO products VALUES
    (1, 'Chair', 'Seats', 3, 4, 10, 10, 6), (2, 'Desk', 'Tables', 20, 0, 5, 50, 30), (3, 'Stool', 'Seats', 1, 1, 2, 8, 5);
INSERT INTO sales VALUES
    (1, 1, 'Web', '2024-01-05', '2024-01-10', '2024-01-08', 33, 30), (2, 1, 'Phone', '2024-02-01', '2024-02-05', '2024-02-09', 110, 100),
    (3, 2, 'Web', '2025-03-03', '2025-03-06', '2025-03-06', 88, 80), (4, 3, 'Web', '2025-04-01', '2025-04-09', NULL, 21, 20);
INSERT INTO sale_lines VALUES
    (1, 1, 1, 10, 3, 0), (2, 2, 2, 50, 2, 0.1), (3, 3, 3, 8, 10, 0.25), (4, 4, 1, 10, 1, 0), (5, 4, 3, 8, 1, 0.5);
CREATE TABLE adverts (day DATE, channel VARCHAR, spent DOUBLE);
INSERT INTO adverts VALUES ('2024-01-01', 'Search', 5), ('2024-02-01', 'Web', 7);
