CREATE TABLE carriers (carrier_id INTEGER PRIMARY KEY, carrier_name VARCHAR, region VARCHAR);
CREATE TABLE shipments (
    shipment_id INTEGER PRIMARY KEY, carrier_id INTEGER REFERENCES carriers (carrier_id), shp_status VARCHAR,
    order_recvd_at TIMESTAMP, shipped_at TIMESTAMP, delivered_at TIMESTAMP, promised_date DATE, gross_wt_kg DOUBLE,
    freight_cost DOUBLE
);
CREATE TABLE tickets (
    ticket_id INTEGER PRIMARY KEY, priority VARCHAR, status VARCHAR, created_at TIMESTAMP, first_reply_at TIMESTAMP,
    closed_at TIMESTAMP
);
INSERT INTO carriers SELECT n, ['Arrow', 'Bolt', 'Comet', 'Dart'][n], ['North', 'North', 'South', 'South'][n]
FROM range(1, 5) t(n);
INSERT INTO shipments SELECT
    n, n % 4 + 1, CASE WHEN n % 11 = 0 THEN 'RETURNED' ELSE 'DELIVERED' END,
    TIMESTAMP '2025-01-01 08:00' + to_hours(n * 9), TIMESTAMP '2025-01-01 08:00' + to_hours(n * 9 + 20),
    TIMESTAMP '2025-01-01 08:00' + to_hours(n * 9 + 30 + n * 7 % 90), DATE '2025-01-04' + CAST(n * 9 / 24 AS INTEGER),
    10 + n * 37 % 400, 5 + n * 13 % 90
FROM range(1, 301) t(n);
INSERT INTO tickets SELECT
    n, ['urgent', 'high', 'low'][n % 3 + 1], ['closed', 'waiting_on_client'][n % 2 + 1],
    TIMESTAMP '2025-01-01 08:00' + to_hours(n * 5), TIMESTAMP '2025-01-01 08:00' + to_hours(n * 5 + n % 7 + 1),
    TIMESTAMP '2025-01-02 08:00' + to_hours(n * 5 + n % 31)
FROM range(1, 241) t(n);
