-- A haulier: parcels that are booked, picked up, promised and delivered, claims, contracts and invoices; it ends on 31 December 2024.
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, customer_name VARCHAR, signed_up_at TIMESTAMP);
INSERT INTO customers SELECT n, 'Customer ' || n, TIMESTAMP '2023-01-05 14:20:00' + INTERVAL (n * 17) DAY FROM range(1, 31) t(n);
CREATE TABLE carriers (carrier_id INTEGER PRIMARY KEY, carrier_name VARCHAR);
INSERT INTO carriers VALUES (1, 'Nordweg'), (2, 'Sprinter'), (3, 'Kombi');
CREATE TABLE parcels (parcel_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(customer_id),
  carrier_id INTEGER REFERENCES carriers(carrier_id), booked_at TIMESTAMP, picked_up_at TIMESTAMP, promised_on DATE,
  delivered_at TIMESTAMP, freight_cost DECIMAL(8, 2), status_cd VARCHAR);
INSERT INTO parcels SELECT n, 1 + n * n % 27, 1 + n * 5 % 7 % 3, TIMESTAMP '2023-01-03 08:10:00' + INTERVAL (n * 47) HOUR,
  CASE WHEN n % 23 > 0 THEN TIMESTAMP '2023-01-03 15:00:00' + INTERVAL (n * 47 + n % 3 * 12) HOUR END,
  CAST(TIMESTAMP '2023-01-06 00:00:00' + INTERVAL (n * 47 + n % 4 * 24) HOUR AS DATE),
  CASE WHEN n % 23 > 0 AND n % 19 > 0 AND n < 368 THEN TIMESTAMP '2023-01-05 11:30:00' + INTERVAL (n * 47 + n % 6 * 26) HOUR END,
  20 + n * 37 % 83, CASE WHEN n % 23 = 0 THEN 'CAN' WHEN n % 19 > 0 AND n < 368 THEN 'DLV' ELSE 'TRN' END
FROM range(1, 371) t(n);
INSERT INTO parcels VALUES (371, 3, 1, '2024-12-31 09:00:00', NULL, '2025-01-03', NULL, 44, 'BKD');
CREATE TABLE claims (claim_id INTEGER PRIMARY KEY, parcel_id INTEGER REFERENCES parcels(parcel_id), filed_on DATE,
  claim_amount DECIMAL(8, 2), settled_on DATE);
INSERT INTO claims SELECT n, n * 7 % 340 + 1,
  CAST(TIMESTAMP '2023-01-08 00:00:00' + INTERVAL ((n * 7 % 340 + 1) * 47 + n % 9 * 48) HOUR AS DATE), 30 + n * 41 % 97,
  CASE WHEN n % 4 > 0 THEN CAST(TIMESTAMP '2023-01-15 00:00:00' + INTERVAL ((n * 7 % 340 + 1) * 47 + n % 11 * 72) HOUR AS DATE) END
FROM range(1, 61) t(n);
CREATE TABLE contracts (contract_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(customer_id), started_on DATE,
  cancelled_on DATE);
INSERT INTO contracts SELECT n, n, DATE '2023-01-05' + CAST(n * 17 + n % 5 * 4 AS INTEGER),
  CASE WHEN n % 3 = 0 THEN DATE '2023-05-05' + CAST(n * 17 + n % 4 * 20 AS INTEGER) END FROM range(1, 31) t(n) WHERE n % 10 > 0;
ALTER TABLE contracts ADD COLUMN billing_interval VARCHAR;
UPDATE contracts SET billing_interval = ['monthly', 'yearly', 'monthly'][1 + contract_id % 3];
CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(customer_id), dt DATE, due_dt DATE,
  paid_dt DATE, amount DECIMAL(8, 2));
INSERT INTO invoices SELECT n, 1 + n % 30, DATE '2023-01-10' + CAST(n * 5 AS INTEGER), DATE '2023-01-24' + CAST(n * 5 AS INTEGER),
  CASE WHEN n % 7 > 0 THEN DATE '2023-01-10' + CAST(n * 5 + n * 3 % 26 AS INTEGER) END, 100 + n * 53 % 211 FROM range(1, 137) t(n);
CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(customer_id), topic VARCHAR, opened_at TIMESTAMP);
INSERT INTO tickets SELECT n, 1 + n % 30, ['billing', 'damage', 'delay'][1 + n % 3], TIMESTAMP '2023-02-01 10:00:00' + INTERVAL (n * 9) DAY
FROM range(1, 61) t(n);
