CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, customer_name VARCHAR, country VARCHAR);
CREATE TABLE tracks (track_id INTEGER PRIMARY KEY, track_name VARCHAR);
CREATE TABLE invoices (
    invoice_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (customer_id), channel VARCHAR,
    invoice_date DATE, total DOUBLE
);
CREATE TABLE invoice_lines (
    line_id INTEGER PRIMARY KEY, invoice_id INTEGER REFERENCES invoices (invoice_id),
    track_id INTEGER REFERENCES tracks (track_id), quantity INTEGER
);
CREATE TABLE marketing_spend (spend_date DATE, channel VARCHAR, campaign VARCHAR, spend DOUBLE);
INSERT INTO marketing_spend SELECT
    DATE '2023-01-01' + CAST(n AS INTEGER), ['Search', 'Social', 'Display'][n % 3 + 1], 'Campaign ' || n % 5, 4 + n * 7 % 60
FROM range(1, 501) t(n);
INSERT INTO customers SELECT
    n, 'Customer ' || n, ['Brazil', 'USA', 'Canada', 'France', 'Germany'][n % 5 + 1]
FROM range(1, 61) t(n);
INSERT INTO tracks SELECT n, CASE WHEN n % 90 = 0 THEN 'Brasil' ELSE 'Song ' || n END FROM range(1, 301) t(n);
INSERT INTO invoices SELECT
    n, n * 7 % 50 + 1, ['Web', 'Phone', 'App'][n * n % 7 % 3 + 1], DATE '2023-01-01' + CAST(n * 2 AS INTEGER), 5 + n * 13 % 40
FROM range(1, 401) t(n);
INSERT INTO invoice_lines SELECT n, n % 400 + 1, n * 11 % 300 + 1, n % 3 + 1 FROM range(1, 1201) t(n);
