CREATE TABLE swimmers (swimmer_id INTEGER PRIMARY KEY, swimmer_name VARCHAR, town VARCHAR);
CREATE TABLE visits (
    visit_id INTEGER PRIMARY KEY, swimmer_id INTEGER REFERENCES swimmers (swimmer_id), visited_on DATE, price DOUBLE
);
INSERT INTO swimmers SELECT n, 'Swimmer ' || n, ['Bern', 'Lyon', 'Graz'][n % 3 + 1] FROM range(1, 16) t(n);
INSERT INTO visits
SELECT n, n * n * 7 % 13 + 1, DATE '2023-01-05' + CAST(n * 2 + n % 3 + n * n % 5 + n // 40 * 9 AS INTEGER), 4 + n * 3 % 11
FROM range(1, 401) t(n);
