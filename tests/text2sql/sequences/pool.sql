CREATE TABLE swimmers (swimmer_id INTEGER PRIMARY KEY, swimmer_name VARCHAR, town VARCHAR);
CREATE TABLE visits (
    visit_id INTEGER PRIMARY KEY, swimmer_id INTEGER REFERENCES swimmers (swimmer_id), visited_on DATE, price DOUBLE
);
INSERT INTO swimmers SELECT n, 'Swimmer ' || n, ['Bern', 'Lyon', 'Graz'][n % 3 + 1] FROM range(1, 16) t(n);
INSERT INTO visits
SELECT n, n * n * 7 % 13 + 1, DATE '2023-01-05' + CAST(n * 2 + n % 3 + n * n % 5 + n // 40 * 9 AS INTEGER), 4 + n * 3 % 11
FROM range(1, 401) t(n);
CREATE TABLE chlorine_stock (town VARCHAR, counted_on DATE, stock_kg INTEGER);
INSERT INTO chlorine_stock
SELECT ['Bern', 'Lyon', 'Graz'][t % 3 + 1], DATE '2025-01-01' + CAST(n AS INTEGER), 20 + (n * 7 + t * 31) % 50
FROM range(0, 300) d(n), range(3) k(t);
CREATE TABLE repairs (repair_id INTEGER PRIMARY KEY, town VARCHAR, reported_on DATE, repaired_on DATE);
INSERT INTO repairs
SELECT n, ['Bern', 'Lyon', 'Graz'][n % 3 + 1], DATE '2025-01-01' + CAST(n * 2 AS INTEGER),
    DATE '2025-01-01' + CAST(n * 2 + n * 7 % 19 AS INTEGER)
FROM range(1, 121) t(n);
