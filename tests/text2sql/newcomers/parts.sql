CREATE TABLE nation (n_nationkey INTEGER PRIMARY KEY, n_name VARCHAR);
CREATE TABLE supplier (
    s_suppkey INTEGER PRIMARY KEY, s_name VARCHAR, s_nationkey INTEGER REFERENCES nation (n_nationkey)
);
CREATE TABLE lineitem (
    l_linekey INTEGER PRIMARY KEY, l_suppkey INTEGER REFERENCES supplier (s_suppkey), l_quantity INTEGER,
    l_extendedprice DOUBLE, l_discount DOUBLE, l_shipdate DATE
);
INSERT INTO nation SELECT n, ['FRANCE', 'KENYA', 'PERU', 'CHINA'][n] FROM range(1, 5) t(n);
INSERT INTO supplier SELECT n, 'Supplier ' || n, n % 4 + 1 FROM range(1, 31) t(n);
INSERT INTO lineitem SELECT
    n, n * 7 % 30 + 1, n % 9 + 1, (n % 9 + 1) * (100 + n * 13 % 800), n % 11 / 100, DATE '1995-01-01' + CAST(n AS INTEGER)
FROM range(1, 701) t(n);
