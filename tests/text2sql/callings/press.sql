-- A publisher: articles that are written and some of which come out, leases of its rooms, permits that say themselves which are former, tests, and orders of two types.
CREATE TABLE articles (article_id INTEGER PRIMARY KEY, headline VARCHAR, created_at DATE NOT NULL, published_at DATE);
INSERT INTO articles SELECT i, 'Headline ' || i, DATE '2023-01-01' + CAST(i * 7 AS INTEGER), CASE WHEN i % 3 > 0 THEN DATE '2023-01-01' + CAST(i * 7 + 40 AS INTEGER) END FROM range(1, 91) t(i);
CREATE TABLE tenants (tenant_no INTEGER PRIMARY KEY, tenant_name VARCHAR);
INSERT INTO tenants SELECT i, 'Tenant ' || i FROM range(1, 13) t(i);
CREATE TABLE leases (lease_id INTEGER PRIMARY KEY, tenant_no INTEGER NOT NULL REFERENCES tenants (tenant_no), start_date DATE, end_date DATE);
INSERT INTO leases SELECT i, 1 + i % 12, DATE '2022-01-01' + CAST(i * 11 AS INTEGER), CASE WHEN i < 30 THEN DATE '2022-01-01' + CAST(i * 11 + 200 AS INTEGER) END FROM range(1, 41) t(i);
CREATE TABLE bills (bill_id INTEGER PRIMARY KEY, lease_id INTEGER NOT NULL REFERENCES leases (lease_id), amount INTEGER);
INSERT INTO bills SELECT i, 1 + (i * 3) % 35, 10 * i FROM range(1, 61) t(i);
CREATE TABLE permits (permit_id INTEGER PRIMARY KEY, kind VARCHAR, valid_until DATE);
INSERT INTO permits SELECT i, ['current', 'former', 'unknown'][1 + i % 3], CASE WHEN i % 4 = 0 THEN DATE '2099-12-31' ELSE DATE '2020-01-01' + CAST(i * 9 AS INTEGER) END FROM range(1, 61) t(i);
CREATE TABLE daily_tests (day DATE, region VARCHAR, tests INTEGER, positive_tests INTEGER);
INSERT INTO daily_tests SELECT DATE '2024-01-01' + CAST(i AS INTEGER), ['North', 'South'][1 + i % 2], 100 + i, i % 13 FROM range(80) t(i);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, order_type VARCHAR, order_date DATE);
INSERT INTO orders SELECT i, ['Purchase', 'Sale'][1 + (i % 3 > 0)::INT], DATE '2024-01-01' + CAST(i * 3 AS INTEGER) FROM range(1, 100) t(i);
