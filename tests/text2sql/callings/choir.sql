CREATE TABLE singers (singer_id INTEGER PRIMARY KEY, login_name TEXT, personal_name TEXT, family_name TEXT, joined_on DATE);
INSERT INTO singers VALUES (1, 'mh77', 'Mona', 'Hale', '2021-02-01'), (2, 'otto.b', 'Otto', 'Brandt', '2019-09-12'), (3, 'rvega', 'Rita', 'Vega', '2022-06-30'), (4, 'klim', 'Kai', 'Lim', '2020-01-15');
CREATE TABLE sponsors (sponsor_id INTEGER PRIMARY KEY, sponsor_code TEXT, family_name TEXT, christian_name TEXT, town TEXT);
INSERT INTO sponsors VALUES (1, 'S-01', 'Ash', 'Dora', 'Kiel'), (2, 'S-02', 'Ode', 'Finn', 'Lund');
CREATE TABLE absences (absence_id INTEGER PRIMARY KEY, singer_id INTEGER REFERENCES singers, missed_on DATE, reason TEXT);
INSERT INTO absences VALUES (1, 2, '2024-03-01', 'ill'), (2, 2, '2024-03-08', 'ill'), (3, 1, '2024-04-05', 'away'), (4, 2, '2024-05-03', 'away');
CREATE TABLE pieces (piece_id INTEGER PRIMARY KEY, family_name TEXT, piece_name TEXT, minutes INTEGER);
INSERT INTO pieces VALUES (1, 'Motets', 'Evening Song', 4), (2, 'Motets', 'Still Waters', 6), (3, 'Carols', 'Bright Star', 3);
