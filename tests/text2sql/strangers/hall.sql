CREATE TABLE groups (group_id INTEGER PRIMARY KEY, group_name TEXT, kind TEXT);
INSERT INTO groups VALUES (1, 'Choir', 'music'), (2, 'Judo', 'sport'), (3, 'Band', 'music');
CREATE TABLE hires (hire_id INTEGER PRIMARY KEY, group_id INTEGER REFERENCES groups, booked_ts TIMESTAMP, start_ts TIMESTAMP,
  end_ts TIMESTAMP, cancel_ts TIMESTAMP, state TEXT, fee DECIMAL(8, 2));
INSERT INTO hires VALUES
  (1, 1, '2023-12-20 10:00', '2024-01-05 18:00', '2024-01-05 20:30', NULL, 'held', 90),
  (2, 1, '2024-01-20 10:00', '2024-02-05 18:00', '2024-02-05 19:00', NULL, 'held', 20),
  (3, 2, '2024-02-20 10:00', '2024-03-05 08:00', '2024-03-05 14:00', NULL, 'held', 30),
  (4, 2, '2024-02-21 10:00', '2024-03-06 08:00', '2024-03-06 09:00', '2024-03-01 10:00', 'dropped', 10),
  (5, 3, '2024-02-22 10:00', '2025-01-07 08:00', '2025-01-07 12:00', NULL, 'held', 70);
CREATE TABLE wardens (warden_id INTEGER PRIMARY KEY, warden_name TEXT, hrs_wk INTEGER);
INSERT INTO wardens VALUES (1, 'Ina', 20), (2, 'Jo', 38), (3, 'Kit', 40);
