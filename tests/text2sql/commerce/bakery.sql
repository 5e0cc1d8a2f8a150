CREATE TABLE cakes (cake_id INTEGER PRIMARY KEY, name VARCHAR, cost DECIMAL(8,2));
CREATE TABLE sold_lines (
    line_id INTEGER PRIMARY KEY, cake_id INTEGER REFERENCES cakes (cake_id), unit_price DECIMAL(8,2), quantity INTEGER,
    revenue DECIMAL(8,2));
INSERT INTO cakes VALUES (1, 'Tart', 3), (2, 'Roll', 1), (3, 'Torte', 9);
INSERT INTO sold_lines VALUES (1, 1, 8, 2, 16), (2, 2, 2, 10, 18), (3, 3, 20, 1, 20), (4, 1, 8, 3, 22);
