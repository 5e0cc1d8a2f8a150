CREATE TABLE hubs (hub_id INTEGER PRIMARY KEY, hub_name VARCHAR);
INSERT INTO hubs VALUES (1, 'Alder'), (2, 'Birch'), (3, 'Cedar');
CREATE TABLE lanes (
    lane_id INTEGER PRIMARY KEY, origin_hub_id INTEGER REFERENCES hubs (hub_id),
    destination_hub_id INTEGER REFERENCES hubs (hub_id), distance_km INTEGER
);
INSERT INTO lanes VALUES (1, 1, 2, 120), (2, 1, 3, 340), (3, 2, 3, 215), (4, 3, 1, 340);
CREATE TABLE couriers (
    courier_id INTEGER PRIMARY KEY, full_name VARCHAR, hub_id INTEGER REFERENCES hubs (hub_id), hourly_rate DOUBLE,
    joined_on DATE, left_on DATE
);
INSERT INTO couriers SELECT
    n, ['Ida', 'Jon', 'Kim', 'Lea', 'Max', 'Noa', 'Oda', 'Per'][n], n % 3 + 1, 15 + n, DATE '2021-01-01' + CAST(n * 40 AS INTEGER),
    CASE WHEN n % 4 = 0 THEN DATE '2024-02-01' + CAST(n AS INTEGER) END
FROM range(1, 9) t(n);
CREATE TABLE rates (rate_code VARCHAR PRIMARY KEY, rate_name VARCHAR, monthly_fee DOUBLE, is_active BOOLEAN);
INSERT INTO rates VALUES ('S', 'Small', 9.5, TRUE), ('M', 'Medium', 19.5, TRUE), ('L', 'Large', 39, FALSE);
CREATE TABLE shipments (
    shipment_id INTEGER PRIMARY KEY, tracking_no VARCHAR, lane_id INTEGER REFERENCES lanes (lane_id),
    rate_code VARCHAR REFERENCES rates (rate_code), status VARCHAR, weight_kg DOUBLE, is_hazardous BOOLEAN, booked_on DATE,
    promised_on DATE, delivered_on DATE
);
INSERT INTO shipments SELECT
    n, 'TRK' || (9000 + n * 7), n % 4 + 1, ['S', 'M', 'L'][n % 3 + 1], CASE WHEN n % 4 < 2 THEN 'DELIVERED' WHEN n % 8 = 2 THEN 'RETURNED' ELSE 'BOOKED' END,
    5 + n * 13 % 97 + n / 100.0, n % 3 = 0, DATE '2024-01-01' + CAST(n * 3 AS INTEGER), DATE '2024-01-08' + CAST(n * 3 AS INTEGER),
    CASE WHEN n % 4 < 2 THEN DATE '2024-01-01' + CAST(n * 3 + n % 11 AS INTEGER) END
FROM range(1, 81) t(n);
CREATE TABLE breakdowns (breakdown_id INTEGER PRIMARY KEY, hub_id INTEGER REFERENCES hubs (hub_id), started_at TIMESTAMP, restored_at TIMESTAMP);
INSERT INTO breakdowns SELECT n, n % 3 + 1, TIMESTAMP '2024-01-01' + n * INTERVAL 7 HOUR, TIMESTAMP '2024-01-01' + n * INTERVAL 9 HOUR
FROM range(1, 9) t(n);
CREATE TABLE ratings (rating_id INTEGER PRIMARY KEY, shipment_id INTEGER REFERENCES shipments (shipment_id), stars INTEGER, remark VARCHAR);
INSERT INTO ratings SELECT
    n, n * 2, n % 5 + 1, ['Friendly, will order again', 'It was late for a weight of 5', 'Not my first shipment here', 'A box was missing'][n % 4 + 1]
FROM range(1, 40) t(n);
CREATE TABLE bills (bill_id INTEGER PRIMARY KEY, hub_id INTEGER REFERENCES hubs (hub_id), shipment_id INTEGER REFERENCES shipments (shipment_id), amount DOUBLE);
INSERT INTO bills SELECT n, n % 3 + 1, n, n * 2.5 FROM range(1, 21) t(n);
