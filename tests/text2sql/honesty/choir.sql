CREATE TABLE hall (hall_id INTEGER PRIMARY KEY, hall_name VARCHAR, caretaker VARCHAR, floors INTEGER);
CREATE TABLE singer (singer_id INTEGER PRIMARY KEY, name VARCHAR, voice VARCHAR, date_joined DATE);
CREATE TABLE concert (concert_id INTEGER PRIMARY KEY, title VARCHAR, hall_id INTEGER REFERENCES hall, held_on DATE,
    attendance INTEGER, share_percentage DECIMAL(5, 2));
CREATE TABLE performed (singer_id INTEGER REFERENCES singer, concert_id INTEGER REFERENCES concert, num_of_songs INTEGER);
INSERT INTO hall VALUES (1, 'Corn Exchange', 'Ada Pell', 2), (2, 'Guildhall', 'Ned Roe', 1);
INSERT INTO singer VALUES (1, 'Ida Moss', 'alto', '2019-02-01'), (2, 'Per Lund', 'tenor', '2021-05-04'),
    (3, 'Una Hay', 'alto', '2021-09-30'), (4, 'Leo Kerr', 'bass', '2022-03-11');
INSERT INTO concert VALUES (1, 'Spring Song', 1, '2022-04-02', 120, 60), (2, 'Harvest', 2, '2022-10-08', 310, 85.5),
    (3, 'Carols', 1, '2022-12-20', 205, 99);
INSERT INTO performed VALUES (1, 1, 3), (2, 1, 2), (3, 2, 4), (4, 2, 5), (1, 3, 6), (4, 3, 1);
