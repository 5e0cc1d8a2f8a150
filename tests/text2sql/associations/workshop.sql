-- A bicycle shop: customers and the bikes they own, mechanics with a level and a supervisor, products of which some are of the category bikes.
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, city VARCHAR);
CREATE TABLE bikes (bike_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (customer_id), brand VARCHAR, frame_number VARCHAR);
CREATE TABLE mechanics (mechanic_id INTEGER PRIMARY KEY, full_name VARCHAR, level VARCHAR, hourly_rate DECIMAL(6,2), supervisor_id INTEGER REFERENCES mechanics (mechanic_id));
CREATE TABLE products (product_id INTEGER PRIMARY KEY, product_name VARCHAR, category VARCHAR, list_price DECIMAL(8,2));
CREATE TABLE repair_jobs (job_id INTEGER PRIMARY KEY, bike_id INTEGER REFERENCES bikes (bike_id), mechanic_id INTEGER REFERENCES mechanics (mechanic_id), received_on DATE);
CREATE TABLE job_parts (job_id INTEGER REFERENCES repair_jobs (job_id), product_id INTEGER REFERENCES products (product_id), quantity INTEGER);
CREATE TABLE ticket (ticket_id INTEGER PRIMARY KEY, category VARCHAR, opened_on DATE, closed_on DATE);
CREATE TABLE cb (cb_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (customer_id), req_ts TIMESTAMP, done_ts TIMESTAMP);
INSERT INTO customers SELECT i, 'Given' || i, 'Family' || i, ['Cork','Galway','Sligo'][1 + i % 3] FROM range(1, 31) t(i);
INSERT INTO bikes SELECT i, 1 + (i * 7) % 22, ['Brompton','Trek','Cube'][1 + (i * i + i // 5) % 3], 'F' || (1000 + i) FROM range(1, 61) t(i);
INSERT INTO mechanics SELECT i, 'Mechanic ' || chr((64 + i)::INTEGER), ['apprentice','senior','master'][1 + i % 3], 20 + i, NULL FROM range(1, 3) t(i);
INSERT INTO mechanics SELECT i, 'Mechanic ' || chr((64 + i)::INTEGER), ['apprentice','senior','master'][1 + i % 3], 20 + i, 1 + i % 2 FROM range(3, 10) t(i);
INSERT INTO products SELECT i, 'Part ' || chr((64 + i)::INTEGER), ['bikes','tyres','brakes'][1 + i % 3], 10 * i FROM range(1, 16) t(i);
INSERT INTO repair_jobs SELECT i, 1 + i % 40, 1 + i % 8, DATE '2024-01-04' + CAST(4 * i AS INTEGER) FROM range(1, 121) t(i);
INSERT INTO job_parts SELECT 1 + i % 120, 1 + (i * 3) % 15, 1 + i % 2 FROM range(1, 161) t(i);
INSERT INTO cb SELECT i, 1 + i % 30, TIMESTAMP '2025-01-02 09:00' + to_days(CAST(3 * i AS INTEGER)), CASE WHEN i % 3 <> 0 THEN TIMESTAMP '2025-01-03 09:00' + to_days(CAST(3 * i AS INTEGER)) END FROM range(1, 81) t(i);
INSERT INTO ticket SELECT i, CASE WHEN i % 5 > 0 THEN ['billing','access','noise'][1 + i % 3] END, DATE '2024-01-03' + CAST(5 * i AS INTEGER), CASE WHEN i % 4 > 0 THEN DATE '2024-01-06' + CAST(5 * i AS INTEGER) END FROM range(1, 61) t(i);
