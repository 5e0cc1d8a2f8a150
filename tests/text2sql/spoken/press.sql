CREATE TABLE carriers (carrier_id INTEGER PRIMARY KEY, carrier_name TEXT, can_drive BOOLEAN, hired_on DATE, left_on DATE);
INSERT INTO carriers VALUES (1, 'Ada Moss', true, '2019-01-01', NULL), (2, 'Bo Lind', false, '2020-01-01', '2024-05-01'),
  (3, 'Cy Hale', true, '2021-01-01', NULL);
CREATE TABLE deliveries (delivery_id INTEGER PRIMARY KEY, carrier_id INTEGER REFERENCES carriers, planned_for DATE, delivered_on DATE);
INSERT INTO deliveries VALUES (1, 1, '2023-12-05', '2023-12-06'), (2, 1, '2023-12-20', NULL), (3, 2, '2024-12-01', NULL),
  (4, 3, '2024-06-07', '2024-06-07');
CREATE TABLE complaints (complaint_id INTEGER PRIMARY KEY, delivery_id INTEGER REFERENCES deliveries, received_on DATE, answered_on DATE);
INSERT INTO complaints VALUES (1, 1, '2023-12-07', '2023-12-09'), (2, 2, '2023-12-22', NULL), (3, 4, '2024-06-08', NULL);
CREATE TABLE readers (reader_id INTEGER PRIMARY KEY, reader_name TEXT);
INSERT INTO readers VALUES (1, 'Di Park'), (2, 'Eli Roe');
CREATE TABLE subscriptions (subscription_id INTEGER PRIMARY KEY, reader_id INTEGER REFERENCES readers, ordered_on DATE, start_date DATE,
  paused_from DATE, end_date DATE);
INSERT INTO subscriptions VALUES (1, 1, '2023-11-20', '2024-01-01', NULL, NULL), (2, 1, '2024-01-05', '2024-01-15', '2024-07-01', NULL),
  (3, 2, '2024-01-20', '2024-02-01', '2024-03-01', '2024-09-30');
