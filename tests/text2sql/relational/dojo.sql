CREATE TABLE dojos (dojo_id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR, founded INTEGER);
CREATE TABLE fighters (
    fighter_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, points INTEGER, role VARCHAR,
    dojo_id INTEGER REFERENCES dojos (dojo_id), trainer_id INTEGER REFERENCES fighters (fighter_id)
);
CREATE TABLE throws (throw_id INTEGER PRIMARY KEY, throw_name VARCHAR, kind VARCHAR);
CREATE TABLE knows (
    fighter_id INTEGER REFERENCES fighters (fighter_id), throw_id INTEGER REFERENCES throws (throw_id),
    repetitions INTEGER, PRIMARY KEY (fighter_id, throw_id)
);
CREATE TABLE cups (cup_id INTEGER PRIMARY KEY, cup_name VARCHAR, held_on VARCHAR);
CREATE TABLE entries (
    cup_id INTEGER REFERENCES cups (cup_id), fighter_id INTEGER REFERENCES fighters (fighter_id), final_rank INTEGER,
    PRIMARY KEY (cup_id, fighter_id)
);
CREATE TABLE mats (mat_id INTEGER PRIMARY KEY, colour VARCHAR, kilograms DOUBLE);
INSERT INTO dojos VALUES
    (1, 'Red Gate', 'Bergen', 1978), (2, 'White Crane', 'Oslo', 2003), (3, 'Low Bridge', 'Bergen', 1991),
    (4, 'Old Mill', 'Moss', 1989);
INSERT INTO fighters VALUES (1, 'Aya', 'Mori', 2400, 'master', 1, NULL);
INSERT INTO fighters VALUES
    (2, 'Ole', 'Lie', 1800, 'master', 2, 1), (5, 'Odd', 'Moen', 1950, 'junior', 2, 1),
    (6, 'Liv', 'Aas', 2600, 'senior', 3, 1);
INSERT INTO fighters VALUES
    (3, 'Kim', 'Berg', 2100, 'junior', 1, 2), (4, 'Siv', 'Dahl', 1500, 'junior', 3, 2),
    (7, 'Jon', 'Vik', 2250, 'senior', NULL, 6);
INSERT INTO throws VALUES
    (1, 'Seoi Nage', 'hand'), (2, 'Uki Otoshi', 'hand'), (3, 'Uchi Mata', 'leg'), (4, 'De Ashi Barai', 'leg'),
    (5, 'Tai Otoshi', 'hand');
INSERT INTO knows VALUES
    (1, 1, 40), (1, 2, 25), (1, 3, 60), (2, 1, 40), (2, 4, 15), (3, 1, 25), (3, 2, 40), (4, 4, 15), (5, 3, 25), (6, 3, 40);
INSERT INTO cups VALUES (1, 'Fjord Cup', '2022-03-01'), (2, 'Winter Games', '2022-11-12'), (3, 'City Cup', '2023-02-20');
INSERT INTO entries VALUES (1, 3, 1), (1, 5, 2), (1, 1, 3), (2, 1, 1), (2, 6, 2), (3, 6, 1), (3, 7, 2);
INSERT INTO mats VALUES (1, 'red', 31), (2, 'blue', 28.5), (3, 'red', 30), (4, 'blue', 29), (5, 'red', 33.5);
