CREATE TABLE depots (depot_id INTEGER PRIMARY KEY, depot_name TEXT, address TEXT, city TEXT);
INSERT INTO depots VALUES (1, 'Oak Street Depot', '1 High Street', 'Hull'), (2, 'Elm Road Depot', '1 High Street', 'York'), (3, 'Quay Depot', '1 High Street', 'Hull'), (4, 'Mill Lane Depot', '1 High Street', 'Hull');
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, staff_name TEXT, role TEXT, depot_id INTEGER REFERENCES depots, email TEXT);
INSERT INTO staff VALUES (1, 'Abe Noor', 'Manager', 1, 'abe@example.org'), (2, 'Bea Otto', 'Driver', 1, NULL), (3, 'Cal Pena', 'Manager', 2, 'cal@example.org'),
  (4, 'Dee Quin', 'Driver', 2, 'dee@example.org'), (5, 'Eli Rost', 'Manager', 3, NULL);
CREATE TABLE trips (trip_id INTEGER PRIMARY KEY, depot_id INTEGER REFERENCES depots, driver_id INTEGER REFERENCES staff, opened_at DATE,
  km INTEGER, state TEXT);
INSERT INTO trips VALUES (1, 1, 2, '2023-02-01', 10, 'closed'), (2, 1, 2, '2024-02-03', 20, 'closed'), (3, 1, 2, '2024-03-05', 30, 'open'),
  (4, 2, 4, '2024-02-07', 40, 'closed'), (5, 2, 4, '2023-05-05', 8, 'closed'), (6, 3, 2, '2023-06-01', 5, 'open'), (7, 2, 4, '2024-02-09', 16, 'open');
