-- A beekeepers' business as a handful of files: hives and what is done at them, a ledger, orders and what is said of them.
CREATE TABLE people (person_id INTEGER PRIMARY KEY, full_name VARCHAR, role VARCHAR, started_on DATE, left_on DATE);
CREATE TABLE hives (hive_no VARCHAR PRIMARY KEY, apiary VARCHAR, breed VARCHAR, queen_year INTEGER);
CREATE TABLE extractions (
    extraction_id INTEGER PRIMARY KEY, extracted_on DATE, hive_no VARCHAR REFERENCES hives (hive_no),
    extracted_by INTEGER REFERENCES people (person_id), honey_type VARCHAR, weight_kg DOUBLE
);
CREATE TABLE ledger (
    entry INTEGER PRIMARY KEY, booked DATE, account_name VARCHAR, amount DOUBLE, cost_centre VARCHAR, payee VARCHAR
);
CREATE TABLE customers (
    customer_id INTEGER PRIMARY KEY, customer_name VARCHAR, segment VARCHAR, ship_to_town VARCHAR, bill_to_town VARCHAR
);
CREATE TABLE orders (
    order_no INTEGER PRIMARY KEY, ordered_on DATE, customer_id INTEGER REFERENCES customers (customer_id),
    channel VARCHAR, total DOUBLE, paid DOUBLE
);
CREATE TABLE complaints (
    complaint_id INTEGER PRIMARY KEY, received_on DATE, order_no INTEGER REFERENCES orders (order_no), reason VARCHAR
);
INSERT INTO people SELECT
    n, ['Ada Holm', 'Bo Lind', 'Cy Dahl', 'Di Berg'][n], ['beekeeper', 'helper'][n % 2 + 1],
    DATE '2018-03-01' + CAST(n * 200 AS INTEGER), if(n = 3, DATE '2024-05-31', NULL)
FROM range(1, 5) t(n);
INSERT INTO hives SELECT
    'HV-' || n, ['Heath', 'Orchard', 'Limes'][n % 3 + 1], ['Buckfast', 'Carnica'][n % 2 + 1], 2019 + n % 5
FROM range(1, 31) t(n);
INSERT INTO extractions SELECT
    n, DATE '2023-05-20' + CAST(n * 5 AS INTEGER), 'HV-' || (n * 7 % 26 + 1), n * n % 4 + 1,
    ['heather', 'lime', 'rape'][n % 3 + 1], 4 + n * 31 % 340 / 10
FROM range(1, 161) t(n);
INSERT INTO ledger SELECT
    n, DATE '2023-01-03' + CAST(n * 4 AS INTEGER),
    ['Wages', 'Jars & Lids', 'Sugar', 'Repairs', 'Honey sales', 'Postage'][n % 6 + 1],
    if(n % 6 = 4, 1, -1) * (5 + n * 17 % 300), ['Yard', 'Shop'][n % 2 + 1], ['Shell', 'Apiland', 'Post'][n * n % 3 + 1]
FROM range(1, 241) t(n);
INSERT INTO customers SELECT
    n, 'Customer ' || n, ['shop', 'private', 'bakery'][n % 3 + 1], ['Lund', 'Ystad', 'Kivik'][n % 3 + 1],
    ['Lund', 'Ystad', 'Kivik', 'Oslo'][n * n % 4 + 1]
FROM range(1, 41) t(n);
INSERT INTO orders SELECT
    n, DATE '2023-02-01' + CAST(n * 3 AS INTEGER), n * 11 % 36 + 1, ['web', 'market', 'phone'][n % 3 + 1],
    10 + n * 37 % 400, if(n % 4 = 0, 0, 10 + n * 37 % 400)
FROM range(1, 301) t(n);
INSERT INTO complaints SELECT
    n, DATE '2023-03-01' + CAST(n * 17 AS INTEGER), n * 13 % 300 + 1, ['broken jar', 'late', 'wrong item'][n % 3 + 1]
FROM range(1, 50) t(n);
CREATE TABLE jars (
    sku VARCHAR PRIMARY KEY, size VARCHAR, honey VARCHAR, jars_in_stock INTEGER, fill_weight INTEGER, list_price DOUBLE
);
INSERT INTO jars SELECT
    'J' || n, ['250 g', '500 g'][n % 2 + 1], ['heather', 'lime', 'rape'][n % 3 + 1], n * 41 % 90, 250 + n * 29 % 250,
    4 + n * 7 % 5
FROM range(1, 13) t(n);
