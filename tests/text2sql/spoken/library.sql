CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, birth_date DATE, hire_date DATE,
  reports_to INTEGER REFERENCES staff);
INSERT INTO staff VALUES (1, 'Ada', 'Moss', '1970-05-01', '2000-04-30', NULL);
INSERT INTO staff VALUES (2, 'Bo', 'Lind', '1980-02-02', '2010-03-01', 1);
INSERT INTO staff VALUES (3, 'Cy', 'Hale', '1985-09-09', '2012-09-10', 2), (4, 'Di', 'Park', '1990-12-31', '2020-01-01', 2);
CREATE TABLE members (member_id INTEGER PRIMARY KEY, full_name TEXT, email TEXT, signup_date DATE, town TEXT,
  desk_clerk_id INTEGER REFERENCES staff);
INSERT INTO members VALUES (1, 'Ines Brandt', 'i@x.io', '2023-01-02', 'Oslo', 3), (2, 'Tomas Ruiz', 't@x.io', '2023-02-03', 'Bergen', 3),
  (3, 'Lea Moreau', 'l@x.io', '2024-03-04', 'Oslo', 4);
CREATE TABLE scores (score_id INTEGER PRIMARY KEY, title TEXT, genre TEXT, composer TEXT);
INSERT INTO scores VALUES (1, 'Night Ferry', 'Chamber', 'Vera Holm'), (2, 'Tin Roof', 'Opera', 'Jon Ek'), (3, 'Grey Salt', 'Opera', 'Vera Holm');
CREATE TABLE rentals (rental_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members, score_id INTEGER REFERENCES scores,
  rental_date DATE, rented_at TIMESTAMP);
INSERT INTO rentals VALUES (1, 1, 1, '2023-02-01', '2023-02-01 09:10'), (2, 1, 2, '2023-08-02', '2023-08-02 17:40'),
  (3, 2, 2, '2023-11-03', '2023-11-03 17:05'), (4, 1, 3, '2024-02-04', '2024-02-04 10:00'), (5, 2, 2, '2024-05-05', '2024-05-05 17:59'),
  (6, 2, 1, '2024-06-05', '2024-06-05 08:00');
