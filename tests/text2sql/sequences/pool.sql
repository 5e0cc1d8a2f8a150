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
CREATE TABLE site_visitors (visitor_id INTEGER PRIMARY KEY, full_name VARCHAR);
CREATE TABLE site_events (
    site_event_id INTEGER PRIMARY KEY, visitor_id INTEGER REFERENCES site_visitors (visitor_id), event_name VARCHAR,
    happened_at TIMESTAMP
);
INSERT INTO site_visitors SELECT n, 'Visitor ' || n FROM range(1, 31) t(n);
INSERT INTO site_events
SELECT n, n * n % 30 + 1, ['page_viewed', 'page_viewed', 'cart_filled', 'page_viewed', 'cart_filled', 'ticket_bought'][n % 6 + 1],
    TIMESTAMP '2025-01-02 09:00:00' + INTERVAL (n * 11) HOUR
FROM range(1, 401) t(n);
