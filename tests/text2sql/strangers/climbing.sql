CREATE TABLE halls (hall_id INTEGER PRIMARY KEY, hall_name TEXT, opened_on DATE);
INSERT INTO halls VALUES (1, 'North Wall', '2019-03-01'), (2, 'The Cave', '2021-06-15'), (3, 'Slab City', '2021-09-01');
CREATE TABLE members (member_id INTEGER PRIMARY KEY, full_name TEXT, signed_up_on DATE, left_on DATE);
INSERT INTO members VALUES (1, 'Ida Berg', '2022-01-10', NULL), (2, 'Jon Dahl', '2022-05-02', '2024-02-01'), (3, 'Kim Eide', '2023-02-11', NULL),
  (4, 'Liv Foss', '2023-03-01', NULL), (5, 'Max Gran', '2024-01-05', NULL);
CREATE TABLE climbs (climb_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members, hall_id INTEGER REFERENCES halls, booked_at TIMESTAMP, start_time TIMESTAMP, status TEXT, fee INTEGER);
INSERT INTO climbs VALUES (1, 1, 1, '2022-01-20 09:00', '2022-02-03 18:00', 'done', 10), (2, 1, 2, '2022-03-01 10:00', '2022-03-04 18:00', 'cancelled', 12),
  (3, 2, 1, '2022-05-03 09:00', '2022-05-12 17:00', 'done', 10), (4, 1, 2, '2023-01-02 08:00', '2023-01-09 18:00', 'done', 12), (5, 3, 2, '2023-02-12 09:00', '2023-02-21 17:00', 'done', 12),
  (6, 3, 3, '2023-05-01 09:00', '2023-05-05 19:00', 'done', 15), (7, 4, 3, '2023-06-01 09:00', '2023-06-11 19:00', 'cancelled', 15), (8, 1, 1, '2024-02-01 07:00', '2024-02-08 18:00', 'done', 11),
  (9, 4, 1, '2024-03-01 09:00', '2024-03-10 18:00', 'done', 11), (10, 2, 3, '2023-11-20 09:00', '2023-12-01 12:00', 'done', 15);
CREATE TABLE routes (route_id INTEGER PRIMARY KEY, route_name TEXT, hall_id INTEGER REFERENCES halls, last_checked_on DATE);
INSERT INTO routes VALUES (1, 'Red Arete', 1, '2024-02-10'), (2, 'Blue Moon', 1, '2023-11-02'), (3, 'Green Mile', 2, '2023-04-20'), (4, 'Black Ice', 3, NULL);
CREATE TABLE passes (pass_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members, bought_at TIMESTAMP, bought_on DATE, price INTEGER);
INSERT INTO passes VALUES (1, 1, '2022-01-11 09:00', '2022-01-11', 50), (2, 2, '2022-05-03 10:00', '2022-05-03', 60), (3, 1, '2023-02-01 11:00', '2023-02-01', 55), (4, 3, '2023-02-12 12:00', '2023-02-12', 70), (5, 4, '2023-03-02 13:00', '2023-03-02', 80);
