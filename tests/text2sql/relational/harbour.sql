CREATE TABLE docks (dock_id INTEGER PRIMARY KEY, dock_name VARCHAR, officers INTEGER);
CREATE TABLE boats (
    boat_id INTEGER PRIMARY KEY, boat_name VARCHAR, boat_class VARCHAR, built_year INTEGER, length DOUBLE, price DOUBLE,
    dock_id INTEGER REFERENCES docks (dock_id)
);
CREATE TABLE members (
    member_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, age INTEGER, town_code VARCHAR, course VARCHAR
);
CREATE TABLE outings (member_id INTEGER REFERENCES members (member_id), boat_id INTEGER REFERENCES boats (boat_id), hours INTEGER);
CREATE TABLE trainers (trainer_id INTEGER PRIMARY KEY, trainer_name VARCHAR);
CREATE TABLE lessons (trainer_id INTEGER REFERENCES trainers (trainer_id), boat_id INTEGER REFERENCES boats (boat_id));
CREATE TABLE charters (
    charter_id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats (boat_id), adults INTEGER, kids INTEGER,
    amount_outstanding DOUBLE, charter_status VARCHAR
);
INSERT INTO docks VALUES (1, 'St. Agnes', 9), (2, 'North Quay', 4), (3, 'Old Mole', 2);
INSERT INTO boats VALUES
    (1, 'Miss You', 'dinghy', 1998, 4.2, 900, 1), (2, 'Heron', 'dinghy', 2004, 5.1, 1200, 1),
    (3, 'Young Star', 'ketch', 2004, 12.5, 8000, 2), (4, 'Petrel', 'ketch', 1998, 11, 6500, 3),
    (5, 'Gull', 'cutter', 2004, 8.4, 1100, 2);
INSERT INTO members VALUES
    (1, 'Ann', 'Orr', 31, 'LON', 'Marine Engin.'), (2, 'Bob', 'Poe', 44, 'BAL', 'Nav. Sci.'),
    (3, 'Cay', 'Kay', 27, 'LON', 'Marine Engin.'), (4, 'Dan', 'Abt', 52, 'WAS', 'Nav. Sci.'), (5, 'Eve', 'Yun', 38, 'BAL', 'Law');
INSERT INTO outings VALUES (1, 1, 5), (1, 3, 14), (2, 2, 3), (3, 2, 9), (3, 4, 2), (5, 4, 13);
INSERT INTO trainers VALUES (1, 'Ida'), (2, 'Jon'), (3, 'Kit');
INSERT INTO lessons VALUES (1, 2), (1, 4), (2, 5);
INSERT INTO charters VALUES
    (1, 3, 4, 0, 250, 'Completed'), (2, 3, 2, 1, 1000, 'Booked'), (3, 4, 3, 2, 0, 'Completed'), (4, 4, 6, 0, 500, 'Booked'),
    (5, 2, 1, 0, 75, 'Cancelled');
