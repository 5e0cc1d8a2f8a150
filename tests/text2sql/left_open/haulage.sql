CREATE TABLE city (city_id INTEGER PRIMARY KEY, city_name VARCHAR);
CREATE TABLE shipper (shipper_id INTEGER PRIMARY KEY, full_name VARCHAR, phone VARCHAR, city_id INTEGER REFERENCES city);
CREATE TABLE carrier (carrier_id INTEGER PRIMARY KEY, full_name VARCHAR, phone VARCHAR, city_id INTEGER REFERENCES city);
CREATE TABLE shipment (shipment_id INTEGER PRIMARY KEY, shipper_id INTEGER REFERENCES shipper, booked_on DATE,
    delivered_depot_date DATE, delivered_door_date DATE, net_weight INTEGER, gross_weight INTEGER,
    net_total DECIMAL(8, 2), gross_total DECIMAL(8, 2));
CREATE TABLE bike_trips (trip_id INTEGER PRIMARY KEY, started_on DATE, km INTEGER);
CREATE TABLE yellow_van_trips (trip_id INTEGER PRIMARY KEY, left_on DATE, tolls INTEGER);
INSERT INTO city VALUES (1, 'Lyon'), (2, 'Turin');
INSERT INTO shipper VALUES (1, 'Ann Ode', '11', 1), (2, 'Bo Pym', '12', 2), (3, 'Cy Quay', '13', 1);
INSERT INTO carrier VALUES (1, 'Di Roe', '21', 1), (2, 'Ed Sun', '22', 2);
INSERT INTO shipment VALUES (1, 1, '2024-01-03', '2024-02-27', '2024-03-01', 90, 110, 10, 12),
    (2, 1, '2024-01-09', '2024-02-11', '2024-02-13', 120, 140, 20, 24),
    (3, 2, '2024-02-01', '2024-02-26', '2024-03-02', 50, 60, 30, 36),
    (4, 3, '2024-02-20', '2024-03-01', '2024-03-03', 200, 230, 40, 48);
INSERT INTO bike_trips VALUES (1, '2024-05-03', 4), (2, '2024-05-09', 6), (3, '2024-06-01', 3);
INSERT INTO yellow_van_trips VALUES (1, '2024-05-04', 2), (2, '2024-06-09', 0), (3, '2024-06-11', 1), (4, '2024-07-01', 1);
CREATE TABLE refunds (refund_id INTEGER PRIMARY KEY, shipment_id INTEGER REFERENCES shipment, refunded_on DATE, amount DECIMAL(8, 2));
INSERT INTO refunds VALUES (1, 1, '2024-02-03', 5), (2, 2, '2024-03-04', 7), (3, 3, '2025-01-02', 9);
CREATE TABLE depot (depot_id INTEGER PRIMARY KEY, depot_name VARCHAR);
CREATE TABLE client (client_id INTEGER PRIMARY KEY, client_name VARCHAR, email VARCHAR, home_depot_id INTEGER REFERENCES depot);
CREATE TABLE pickup (pickup_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES client, depot_id INTEGER REFERENCES depot, picked_on DATE);
INSERT INTO depot VALUES (1, 'North'), (2, 'South');
INSERT INTO client VALUES (1, 'Flo Tate', 'f@x.org', 1), (2, 'Gus Ure', 'g@x.org', 1), (3, 'Hal Vine', 'h@x.org', 2);
INSERT INTO pickup VALUES (1, 1, 2, '2024-03-01'), (2, 1, 2, '2024-03-05'), (3, 3, 2, '2024-03-06'), (4, 2, 1, '2024-03-09');
