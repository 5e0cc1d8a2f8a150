CREATE TABLE machines (machine_id INTEGER PRIMARY KEY, machine_name VARCHAR, machine_type VARCHAR, hall VARCHAR, installed_on DATE, retired_on DATE);
INSERT INTO machines VALUES
  (1, 'Press A', 'Press', 'North', '2014-03-01', NULL), (2, 'Mill 1', 'Milling', 'South', '2021-11-02', NULL),
  (3, 'Lathe 1', 'Turning', 'South', '2012-01-10', '2024-08-31'), (4, 'Oven', 'Heat treatment', 'North', '2019-04-04', NULL);
CREATE TABLE products (product_id INTEGER PRIMARY KEY, product_name VARCHAR, product_family VARCHAR, std_cost DECIMAL(8,2), list_price DECIMAL(8,2));
INSERT INTO products VALUES (1, 'Bracket', 'Brackets', 2.00, 4.50), (2, 'Drive shaft', 'Shafts', 14.00, 29.00), (3, 'Base plate', 'Plates', 2.00, 5.00);
CREATE TABLE operators (operator_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, home_shift VARCHAR, hired_on DATE, left_on DATE);
INSERT INTO operators VALUES (1, 'Marta', 'Kowal', 'Early', '2015-02-01', NULL), (2, 'Deniz', 'Arslan', 'Early', '2019-07-15', NULL), (3, 'Ines', 'Duarte', 'Night', '2019-10-01', '2024-11-30');
CREATE TABLE production_orders (order_no INTEGER PRIMARY KEY, product_id INTEGER REFERENCES products(product_id), machine_id INTEGER REFERENCES machines(machine_id), operator_id INTEGER REFERENCES operators(operator_id), shift VARCHAR, planned_start DATE, planned_end DATE, actual_start DATE, actual_end DATE, qty_planned INTEGER, qty_produced INTEGER, status VARCHAR);
INSERT INTO production_orders VALUES
  (501, 1, 1, 1, 'Early', '2024-01-08', '2024-01-12', '2024-01-09', '2024-01-12', 100, 98, 'Completed'),
  (502, 2, 2, 2, 'Late', '2024-01-29', '2024-02-02', '2024-01-29', '2024-02-05', 50, 50, 'Completed'),
  (503, 1, 3, 3, 'Night', '2024-02-12', '2024-02-15', '2024-02-13', '2024-02-14', 200, 190, 'Completed'),
  (504, 3, 1, 1, 'Late', '2024-03-04', '2024-03-06', NULL, NULL, 80, NULL, 'Cancelled'),
  (505, 1, 1, 2, 'Early', '2024-11-25', '2024-11-29', '2024-11-26', '2024-12-03', 120, 115, 'Completed'),
  (506, 2, 4, 2, 'Late', '2024-12-23', '2024-12-30', '2024-12-27', '2025-01-03', 60, 58, 'Completed'),
  (507, 3, 2, 1, 'Early', '2025-01-13', '2025-01-17', '2025-01-13', '2025-01-16', 90, 90, 'Completed'),
  (508, 1, 1, 1, 'Late', '2025-02-24', '2025-02-27', '2025-02-28', '2025-03-03', 150, 140, 'Completed'),
  (509, 2, 4, 2, 'Early', '2025-03-10', '2025-03-13', '2025-03-11', NULL, 40, 10, 'In progress'),
  (510, 1, 2, 1, 'Late', '2025-03-17', '2025-03-28', '2025-03-18', NULL, 70, 5, 'In progress'),
  (511, 3, 1, NULL, 'Early', '2025-04-07', '2025-04-10', NULL, NULL, 90, NULL, 'Planned');
CREATE TABLE scrap (scrap_id INTEGER PRIMARY KEY, order_no INTEGER REFERENCES production_orders(order_no), recorded_on DATE, defect VARCHAR, qty_scrapped INTEGER, scrap_cost DECIMAL(8,2));
INSERT INTO scrap VALUES
  (1, 501, '2024-01-12', 'Crack', 2, 4.00), (2, 503, '2024-02-14', 'Scratch', 10, 20.00), (3, 505, '2024-12-03', 'Scratch', 5, 10.00),
  (4, 506, '2025-01-03', 'Crack', 2, 28.00), (5, 508, '2025-03-03', 'Burr', 10, 20.00), (6, 508, '2025-03-03', 'Crack', 1, 2.00);
CREATE TABLE downtime (downtime_id INTEGER PRIMARY KEY, machine_id INTEGER REFERENCES machines(machine_id), started_at TIMESTAMP, ended_at TIMESTAMP, reason VARCHAR, is_planned BOOLEAN);
INSERT INTO downtime VALUES
  (1, 1, '2024-01-10 06:00', '2024-01-10 07:00', 'Breakdown', false), (2, 1, '2024-02-10 06:00', '2024-02-10 06:30', 'Setup', true),
  (3, 1, '2024-05-14 06:00', '2024-05-14 06:30', 'Setup', true), (4, 2, '2024-02-12 08:00', '2024-02-12 14:00', 'Breakdown', false),
  (5, 3, '2024-06-03 08:00', '2024-06-03 10:00', 'Breakdown', false), (6, 4, '2025-03-19 12:00', NULL, 'Breakdown', false);
CREATE TABLE suppliers (supplier_id INTEGER PRIMARY KEY, supplier_name VARCHAR, city VARCHAR, country VARCHAR);
INSERT INTO suppliers VALUES (1, 'Ferrum Stahl', 'Linz', 'Austria'), (2, 'Brixia Metalli', 'Brescia', 'Italy'), (3, 'Inox Lyon', 'Lyon', 'France');
CREATE TABLE purchase_orders (po_number INTEGER PRIMARY KEY, supplier_id INTEGER REFERENCES suppliers(supplier_id), material VARCHAR, ordered_on DATE, promised_on DATE, qty_ordered INTEGER, unit_price DECIMAL(8,2), status VARCHAR);
INSERT INTO purchase_orders VALUES
  (901, 1, 'Steel sheet', '2024-01-10', '2024-01-20', 100, 3.00, 'Received'), (902, 2, 'Inserts', '2024-02-01', '2024-02-12', 50, 12.00, 'Received'),
  (903, 1, 'Steel bar', '2024-12-02', '2024-12-12', 80, 4.00, 'Received'), (904, 1, 'Steel sheet', '2025-01-05', '2025-01-15', 10, 3.00, 'Cancelled'),
  (905, 2, 'Inserts', '2025-02-10', '2025-02-20', 20, 12.00, 'Open'), (906, 1, 'Steel sheet', '2025-03-15', '2025-04-01', 60, 3.00, 'Open');
CREATE TABLE goods_receipts (receipt_id INTEGER PRIMARY KEY, po_number INTEGER REFERENCES purchase_orders(po_number), received_on DATE, qty_received INTEGER, qty_rejected INTEGER);
INSERT INTO goods_receipts VALUES (1, 901, '2024-01-23', 100, 5), (2, 902, '2024-02-10', 50, 0), (3, 903, '2024-12-19', 80, 4);
