-- A car dealer: sales that were called off again, drives that took place or not, members who came back or never did.
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, city VARCHAR, registered_on DATE);
CREATE TABLE vehicle (vehicle_id INTEGER PRIMARY KEY, model VARCHAR, condition VARCHAR, acquired_date DATE);
CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, vehicle_id INTEGER REFERENCES vehicle (vehicle_id), customer_id INTEGER REFERENCES customer (customer_id), sale_date DATE, sale_price DECIMAL(10,2), status VARCHAR);
CREATE TABLE test_drive (test_drive_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (customer_id), driven_on DATE);
INSERT INTO customer SELECT i, 'First' || i, 'Last' || i, ['York','Leeds','Hull'][1 + i % 3], DATE '2023-01-10' + CAST(9 * i AS INTEGER) FROM range(1, 71) t(i);
INSERT INTO vehicle SELECT i, 'Model ' || chr((64 + i % 5)::INTEGER), ['new','used'][1 + i % 2], DATE '2023-01-01' + CAST(5 * i AS INTEGER) FROM range(1, 121) t(i);
INSERT INTO sale SELECT i, i, 1 + (i * 7) % 50, DATE '2023-01-20' + CAST((i * i * 3) % 700 AS INTEGER), 9000 + 100 * i, CASE WHEN i % 9 = 0 THEN 'cancelled' ELSE 'delivered' END FROM range(1, 111) t(i);
INSERT INTO test_drive SELECT i, 1 + (i * 11) % 70, DATE '2023-02-01' + CAST((i * i) % 690 AS INTEGER) FROM range(1, 151) t(i);
