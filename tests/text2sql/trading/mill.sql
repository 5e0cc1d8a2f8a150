CREATE TABLE branches (branch_id INTEGER PRIMARY KEY, branch_name VARCHAR, has_cafe BOOLEAN);
INSERT INTO branches VALUES (1, 'Mill Road', TRUE), (2, 'Angel Hill', FALSE), (3, 'Old Quay', TRUE);
CREATE TABLE staff (
    staff_id INTEGER PRIMARY KEY, fname VARCHAR, lname VARCHAR, job VARCHAR, branch_id INTEGER REFERENCES branches (branch_id),
    hired_on DATE, left_on DATE
);
INSERT INTO staff SELECT
    n, ['Ana', 'Ben', 'Cai', 'Dora', 'Eli', 'Fay', 'Gus', 'Hal', 'Ines'][n], ['Moss', 'Reed', 'Sand'][n % 3 + 1] || n,
    ['baker', 'driver'][n % 2 + 1], n % 3 + 1, DATE '2019-01-01' + CAST(n * 100 AS INTEGER),
    CASE WHEN n % 3 = 0 THEN DATE '2024-05-01' + CAST(n AS INTEGER) END
FROM range(1, 10) t(n);
CREATE TABLE customers (customer_no INTEGER PRIMARY KEY, trading_name VARCHAR, segment VARCHAR, town VARCHAR, signup_date DATE, account_rep_id INTEGER REFERENCES staff (staff_id));
INSERT INTO customers SELECT
    n, ['Anchor', 'Bellows', 'Corner', 'Dovecote', 'Elm', 'Fern', 'Grange', 'Harbour', 'Ivy', 'Juniper', 'Kestrel', 'Larch'][n],
    ['hotel', 'grocer', 'cafe'][n % 3 + 1], ['Ely', 'Bury', 'Diss', 'Ely'][n % 4 + 1], DATE '2022-03-01' + CAST(n * 67 AS INTEGER), n % 4 + 1
FROM range(1, 13) t(n);
CREATE TABLE orders (
    order_no INTEGER PRIMARY KEY, customer_no INTEGER REFERENCES customers (customer_no), placed_at TIMESTAMP, due_on DATE,
    shipped_on DATE, state VARCHAR, net_total DOUBLE
);
INSERT INTO orders SELECT
    n, (n * n) % 11 + 1, TIMESTAMP '2024-01-03 08:00:00' + CAST(n * 5 AS INTEGER) * INTERVAL 1 DAY,
    DATE '2024-01-05' + CAST(n * 5 AS INTEGER), CASE WHEN n % 7 > 1 THEN DATE '2024-01-04' + CAST(n * 5 AS INTEGER) END,
    CASE n % 7 WHEN 0 THEN 'cancelled' WHEN 1 THEN 'booked' ELSE 'shipped' END, 20 + n * 37 % 113 + n / 10.0
FROM range(1, 131) t(n);
CREATE TABLE products (sku VARCHAR PRIMARY KEY, title VARCHAR, category VARCHAR, list_price DOUBLE, is_vegan BOOLEAN, dropped DATE);
INSERT INTO products SELECT
    'S' || n, ['Rye', 'Plait', 'Sponge', 'Ginger', 'Seeded', 'Brioche', 'Fudge', 'Lemon', 'Oat', 'Walnut'][n],
    ['bread', 'cake'][n % 2 + 1], 1.5 + n * 7 % 5, n % 3 = 0, CASE WHEN n % 4 = 0 THEN DATE '2025-02-01' + CAST(n AS INTEGER) END
FROM range(1, 11) t(n);
CREATE TABLE order_lines (
    order_no INTEGER REFERENCES orders (order_no), sku VARCHAR REFERENCES products (sku), quantity INTEGER, PRIMARY KEY (order_no, sku)
);
INSERT INTO order_lines SELECT n, 'S' || ((n * 3 + k * k) % 10 + 1), n % 9 + k FROM range(1, 131) t(n), range(1, 4) u(k) ON CONFLICT DO NOTHING;
CREATE TABLE faults (
    fault_id INTEGER PRIMARY KEY, branch_id INTEGER REFERENCES branches (branch_id), urgency VARCHAR, note VARCHAR,
    opened_at TIMESTAMP, solved_at TIMESTAMP
);
INSERT INTO faults SELECT
    n, n % 3 + 1, ['high', 'low'][n % 2 + 1], 'note ' || n, TIMESTAMP '2025-01-01 06:00:00' + n * INTERVAL 17 HOUR,
    CASE WHEN n % 5 THEN TIMESTAMP '2025-01-01 06:00:00' + n * 20 * INTERVAL 1 HOUR END
FROM range(1, 31) t(n);
