CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, customer_name VARCHAR, country VARCHAR);
CREATE TABLE albums (album_id INTEGER PRIMARY KEY, title VARCHAR);
CREATE TABLE products (
    product_id INTEGER PRIMARY KEY, product_name VARCHAR, album_id INTEGER REFERENCES albums (album_id), price DOUBLE
);
CREATE TABLE orders (
    order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (customer_id), ordered_on DATE, total DOUBLE
);
CREATE TABLE order_lines (
    order_line_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (order_id),
    product_id INTEGER REFERENCES products (product_id), quantity INTEGER, amount DOUBLE
);
INSERT INTO customers SELECT i, 'Customer ' || i, ['Germany', 'France'][1 + i % 2] FROM range(1, 21) t(i);
INSERT INTO albums SELECT i, 'Album ' || i FROM range(1, 8) t(i);
INSERT INTO products SELECT i, 'Product ' || i, 1 + i % 7, i * 1.5 FROM range(1, 31) t(i);
INSERT INTO orders
SELECT
    i, [1, 2, 2, 3, 4, 4, 4, 5, 6, 6, 7, 9, 9, 9, 9, 11][1 + i % 16], DATE '2024-01-01' + CAST(i * 11 AS INTEGER), 10.0 + i
FROM range(1, 17) t(i);
INSERT INTO order_lines SELECT i, 1 + i % 16, 1 + (i * i) % (7 + i % 19), 1 + i % 3, i * 2.5 FROM range(1, 61) t(i);
