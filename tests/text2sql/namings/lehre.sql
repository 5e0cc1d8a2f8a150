-- A music school whose owner calls things otherwise than people do: `doz` are lecturers, a piece is a file.
CREATE TABLE lecturer (lecturer_ref INTEGER PRIMARY KEY, given_name TEXT, second_name TEXT, surname TEXT, sheet_kind TEXT);
INSERT INTO lecturer VALUES (1, 'Ada', 'May', 'Quill', 'Score'), (2, 'Ben', 'Lou', 'Rook', 'Part'),
    (3, 'Cleo', 'Ann', 'Stone', 'Score');
CREATE TABLE file (file_no INTEGER PRIMARY KEY, file_title TEXT, filed_on DATE, lecturer_ref INTEGER REFERENCES lecturer(lecturer_ref));
INSERT INTO file VALUES (11, 'Etudes', DATE '2024-01-03', 1), (12, 'Sonatas', DATE '2024-02-04', 1),
    (13, 'Scales', DATE '2024-03-05', 2);
CREATE TABLE learner (learner_no INTEGER PRIMARY KEY, family_name TEXT, mentor_no INTEGER);
INSERT INTO learner VALUES (21, 'Abel', 1), (22, 'Bloom', 1), (23, 'Cole', 2), (24, 'Dorn', 2), (25, 'Eck', 2);
CREATE TABLE formular (formular_no INTEGER PRIMARY KEY, formular_title TEXT);
INSERT INTO formular VALUES (31, 'Entry'), (32, 'Leave');
CREATE TABLE offering (offering_no INTEGER PRIMARY KEY, offering_title TEXT);
INSERT INTO offering VALUES (41, 'Choir'), (42, 'Piano'), (43, 'Theory'), (44, 'Tuning');
