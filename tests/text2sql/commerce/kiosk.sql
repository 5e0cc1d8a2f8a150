CREATE TABLE buyers (buyer_id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR, joined DATE);
CREATE TABLE goods (good_id INTEGER PRIMARY KEY, name VARCHAR, category VARCHAR, price DECIMAL(8,2), unit_cost DECIMAL(8,2));
CREATE TABLE orders (
    order_id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers (buyer_id), ordered_at DATE, channel VARCHAR);
CREATE TABLE order_lines (
    line_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (order_id),
    good_id INTEGER REFERENCES goods (good_id), quantity INTEGER, price DECIMAL(8,2));
CREATE TABLE advertising (day DATE, channel VARCHAR, spend DECIMAL(8,2));

INSERT INTO buyers VALUES
    (1, 'Ada Berg', 'Oslo', '2023-01-02'), (2, 'Ben Cole', 'Oslo', '2023-02-03'), (3, 'Cleo Dahl', 'Bergen', '2023-03-04'),
    (4, 'Dan Eide', 'Bergen', '2023-04-05'), (5, 'Eva Foss', 'Bodo', '2024-01-06'), (6, 'Finn Gran', 'Bodo', '2024-02-07');
INSERT INTO goods VALUES
    (1, 'Lamp', 'Home', 40, 25), (2, 'Rug', 'Home', 90, 95), (3, 'Mug', 'Kitchen', 8, 3), (4, 'Pan', 'Kitchen', 35, 36),
    (5, 'Ball', 'Sports', 20, 6), (6, 'Tent', 'Sports', 200, 120);
INSERT INTO orders VALUES
    (1, 1, '2024-01-10', 'web'), (2, 1, '2024-02-11', 'web'), (3, 1, '2025-03-12', 'store'), (4, 2, '2024-02-13', 'store'),
    (5, 2, '2025-01-14', 'store'), (6, 3, '2024-05-15', 'phone'), (7, 4, '2025-06-16', 'web'), (8, 5, '2025-06-17', 'store'),
    (9, 5, '2025-07-18', 'store');
INSERT INTO order_lines VALUES
    (1, 1, 1, 1, 40), (2, 1, 3, 4, 8), (3, 2, 2, 1, 90), (4, 3, 5, 2, 20), (5, 4, 4, 3, 35), (6, 5, 3, 6, 8), (7, 6, 6, 2, 200),
    (8, 7, 1, 2, 40), (9, 7, 5, 1, 20), (10, 8, 3, 2, 8), (11, 9, 2, 2, 90), (12, 9, 4, 1, 35);
INSERT INTO advertising VALUES
    ('2024-01-01', 'web', 100), ('2024-06-01', 'phone', 80), ('2025-01-01', 'web', 300), ('2025-02-01', 'store', 50);

ALTER TABLE orders ADD COLUMN ship_name VARCHAR;
UPDATE orders SET ship_name = town || ' depot' FROM buyers WHERE buyers.buyer_id = orders.buyer_id;
