CREATE TABLE suppliers (supplier_id INTEGER PRIMARY KEY, supplier_name TEXT);
INSERT INTO suppliers VALUES (1, 'Brightsteel'), (2, 'Dunmore'), (3, 'Fenwick');
CREATE TABLE carriers (carrier_id INTEGER PRIMARY KEY, carrier_name TEXT);
INSERT INTO carriers VALUES (1, 'Swift Haul'), (2, 'Northline');
CREATE TABLE parts (part_id INTEGER PRIMARY KEY, part_name TEXT, unit_cost DECIMAL(8, 2), on_hand INTEGER,
  reorder_point INTEGER);
INSERT INTO parts VALUES (1, 'Bearing', 4.50, 0, 10), (2, 'Gasket', 2.00, 12, 12), (3, 'Piston', 31.00, 40, 15),
  (4, 'Valve', 8.25, 0, 5), (5, 'Belt', 6.10, 9, 8);
CREATE TABLE deliveries (delivery_id INTEGER PRIMARY KEY, supplier_id INTEGER REFERENCES suppliers,
  carrier_id INTEGER REFERENCES carriers, dispatched_on DATE, expected_on DATE, arrived_on DATE, boxes INTEGER);
INSERT INTO deliveries VALUES
  (1, 1, 1, '2025-01-03', '2025-01-08', '2025-01-07', 4), (2, 1, 2, '2025-01-05', '2025-01-09', '2025-01-12', 9),
  (3, 2, 2, '2025-01-20', '2025-01-27', '2025-01-29', 2), (4, 2, 1, '2025-02-01', '2025-02-06', '2025-02-06', 7),
  (5, 3, 1, '2025-02-10', '2025-02-14', '2025-02-15', 1), (6, 3, 2, '2025-02-12', '2025-02-18', NULL, 3),
  (7, 1, 2, '2025-03-01', '2025-03-10', NULL, 5), (8, 1, 1, '2025-02-20', '2025-02-26', '2025-03-04', 6);
CREATE TABLE bills (bill_no INTEGER PRIMARY KEY, supplier_id INTEGER REFERENCES suppliers, issued_on DATE, due_on DATE,
  paid_on DATE, amount DECIMAL(8, 2));
INSERT INTO bills VALUES
  (101, 1, '2025-01-04', '2025-02-03', '2025-01-30', 400.00), (102, 1, '2025-01-10', '2025-02-09', '2025-02-15', 120.50),
  (103, 2, '2025-01-22', '2025-02-21', NULL, 88.00), (104, 2, '2025-02-02', '2025-03-04', '2025-03-04', 900.00),
  (105, 3, '2025-02-12', '2025-03-14', NULL, 35.25);
CREATE TABLE jobs (job_id INTEGER PRIMARY KEY, mechanic TEXT, opened_at TIMESTAMP, deadline DATE, finished_at TIMESTAMP,
  state TEXT);
INSERT INTO jobs VALUES
  (1, 'Ada', '2025-01-02 09:00', '2025-01-04', '2025-01-04 16:00', 'done'),
  (2, 'Bo', '2025-01-03 10:00', '2025-01-05', '2025-01-08 12:00', 'done'),
  (3, 'Ada', '2025-01-09 08:00', '2025-01-12', '2025-01-11 17:30', 'done'),
  (4, 'Bo', '2025-02-01 09:00', '2025-02-05', NULL, 'in progress'),
  (5, 'Cleo', '2025-03-01 09:00', '2025-03-20', NULL, 'waiting'),
  (6, 'Cleo', '2025-02-11 13:00', '2025-02-12', '2025-02-11 15:00', 'done');
