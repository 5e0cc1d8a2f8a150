-- Mountain huts, who keeps them and who hikes: for questions in the words of people who have not seen the names.
CREATE TABLE hut (hut_id INTEGER PRIMARY KEY, hut_name VARCHAR, altitude_m INTEGER, rating DOUBLE, open_year INTEGER, software_platform VARCHAR);
INSERT INTO hut VALUES
 (1, 'Larch', 1500, 4.1, 1998, 'Zeta'), (2, 'Edelweiss', 2300, 3.2, 2005, 'Zeta'),
 (3, 'Marmot', 1900, 4.8, 2011, 'Ypsilon'), (4, 'Arolla', 2700, 2.9, 2005, 'Zeta'), (5, 'Chamois', 2100, 3.9, 2019, 'Zeta');
CREATE TABLE keeper (keeper_id INTEGER PRIMARY KEY, keeper_name VARCHAR, age INTEGER, weight_kg DOUBLE, nationality VARCHAR,
 phone_number VARCHAR, email VARCHAR, hut_id INTEGER REFERENCES hut (hut_id), date_joined DATE, date_left DATE);
INSERT INTO keeper VALUES
 (1, 'Urs Amman', 34, 81.5, 'Swiss', '079 111', 'urs@huts.test', 1, '2019-04-01', '2022-09-30'),
 (2, 'Pia Brunner', 51, 62.0, 'Swiss', '079 222', 'pia@huts.test', 2, '2015-05-01', '2023-10-15'),
 (3, 'Zoe Carli', 28, 58.5, 'Italian', '079 333', 'zoe@huts.test', 3, '2021-06-01', '2024-09-30'),
 (4, 'Max Dietl', 45, 92.0, 'Austrian', '079 444', 'max@huts.test', 4, '2018-05-15', '2021-10-01');
CREATE TABLE hiker (hiker_id INTEGER PRIMARY KEY, full_name VARCHAR, amount_owed DOUBLE);
INSERT INTO hiker VALUES (1, 'Ann Berg', 120), (2, 'Bob Tal', 250), (3, 'Cid See', 900), (4, 'Dora Wald', 2500), (5, 'Ed Fluss', 40);
CREATE TABLE booking (booking_id INTEGER PRIMARY KEY, hiker_id INTEGER REFERENCES hiker (hiker_id), hut_id INTEGER REFERENCES hut (hut_id),
 start_date DATE, end_date DATE);
INSERT INTO booking VALUES (1, 1, 1, '2024-07-01', '2024-07-03'), (2, 1, 3, '2024-07-03', '2024-07-04'),
 (3, 2, 1, '2024-08-10', '2024-08-11'), (4, 4, 5, '2024-09-01', '2024-09-05');
CREATE TABLE race (race_id INTEGER PRIMARY KEY, race_town VARCHAR, winning_keeper INTEGER REFERENCES keeper (keeper_id));
INSERT INTO race VALUES (1, 'Chur', 2), (2, 'Sils', 2), (3, 'Visp', 4);
CREATE TABLE guide (guide_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR);
INSERT INTO guide VALUES (1, 'Lea', 'Moser'), (2, 'Tim', 'Roth');
