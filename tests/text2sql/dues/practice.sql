CREATE TABLE clients (client_id INTEGER PRIMARY KEY, client_name TEXT, region TEXT);
INSERT INTO clients VALUES (1, 'Aldo Fuchs', 'North'), (2, 'Bea Gold', 'South'), (3, 'Cy Hart', 'North');
CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients, issued_on DATE,
  inv_status TEXT, total_amt DECIMAL(10, 2), tax_amt DECIMAL(10, 2), tax_rate DECIMAL(4, 2));
INSERT INTO invoices VALUES
  (1, 1, '2024-02-03', 'paid', 119.00, 19.00, 0.19), (2, 1, '2024-05-09', 'void', 238.00, 38.00, 0.19),
  (3, 2, '2024-06-11', 'paid', 107.00, 7.00, 0.07), (4, 3, '2023-11-20', 'paid', 59.50, 9.50, 0.19),
  (5, 2, '2023-12-01', 'sent', 214.00, 14.00, 0.07);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients, ordered_on DATE,
  subtotal DECIMAL(10, 2), vat DECIMAL(10, 2), grand_total DECIMAL(10, 2));
INSERT INTO orders VALUES
  (1, 1, '2024-01-10', 40.00, 8.00, 48.00), (2, 2, '2024-03-15', 90.00, 18.00, 108.00),
  (3, 3, '2024-03-28', 25.00, 5.00, 30.00), (4, 3, '2023-09-09', 60.00, 12.00, 72.00);
CREATE TABLE trips (trip_id INTEGER PRIMARY KEY, driven_on DATE, fare DECIMAL(8, 2), km INTEGER);
INSERT INTO trips VALUES (1, '2024-04-04', 21.50, 9), (2, '2024-04-05', 13.00, 4), (3, '2024-05-05', 44.00, 30);
CREATE TABLE repairs (repair_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients, kind TEXT, done_on DATE,
  cost DECIMAL(8, 2));
INSERT INTO repairs VALUES
  (1, 1, 'emergency', '2024-02-02', 90.00), (2, 1, 'overhaul', '2024-03-02', 300.00), (3, 2, 'emergency', '2024-03-09', 70.00),
  (4, 3, 'upgrade', '2024-04-01', 150.00), (5, 3, 'emergency', '2024-06-06', 110.00);
ALTER TABLE clients ADD COLUMN has_emergency_contract BOOLEAN;
UPDATE clients SET has_emergency_contract = client_id < 3;
CREATE TABLE helpers (helper_id INTEGER PRIMARY KEY, helper_name TEXT, region TEXT, hired_on DATE, left_on DATE);
INSERT INTO helpers VALUES
  (1, 'Dee Ito', 'North', '2021-01-01', NULL), (2, 'Eli Joy', 'North', '2021-02-01', '2023-05-05'),
  (3, 'Flo Kay', 'South', '2022-03-01', NULL), (4, 'Gus Lim', 'South', '2022-04-01', '2024-01-31'),
  (5, 'Hal Mox', 'South', '2023-05-01', NULL);
CREATE TABLE enrolments (enrolment_id INTEGER PRIMARY KEY, helper_id INTEGER REFERENCES helpers, course TEXT, enrolled_on DATE,
  completed_on DATE);
INSERT INTO enrolments VALUES
  (1, 1, 'First aid', '2023-01-05', '2023-02-05'), (2, 1, 'Ladders', '2023-03-05', '2023-04-01'),
  (3, 2, 'First aid', '2023-01-05', NULL), (4, 2, 'Ladders', '2023-05-05', '2023-06-05'),
  (5, 3, 'First aid', '2024-01-05', '2024-02-15'), (6, 3, 'Ladders', '2024-02-05', '2024-03-05'),
  (7, 3, 'Paint', '2024-05-05', NULL), (8, 4, 'Paint', '2024-05-05', NULL), (9, 4, 'Ladders', '2024-05-06', NULL);
