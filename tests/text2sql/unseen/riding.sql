CREATE TABLE learner (
    learner_no INTEGER PRIMARY KEY, given_name VARCHAR, surname VARCHAR, town VARCHAR, joined_on DATE, level_class VARCHAR
);
CREATE TABLE trainer (trainer_no INTEGER PRIMARY KEY, given_name VARCHAR, surname VARCHAR, quit_on DATE);
CREATE TABLE trail_point (point_id INTEGER PRIMARY KEY, point_name VARCHAR, n_benches INTEGER);
CREATE TABLE mount (
    mount_no INTEGER PRIMARY KEY, label VARCHAR, hue VARCHAR, weight_kg DOUBLE, lowest_fee DOUBLE, highest_fee DOUBLE,
    worth_keur DOUBLE
);
CREATE TABLE riding_session (
    session_no INTEGER PRIMARY KEY, learner_no INTEGER REFERENCES learner (learner_no),
    trainer_no INTEGER REFERENCES trainer (trainer_no), mount_no INTEGER REFERENCES mount (mount_no),
    from_point_name VARCHAR, to_point_name VARCHAR, session_mins INTEGER, held_on DATE, pay_kind VARCHAR
);
INSERT INTO learner SELECT
    n, ['Ann', 'Bo', 'Cid', 'Dot', 'Eve', 'Fay'][n % 6 + 1], 'Reed' || n, ['Lund', 'Ghent', 'Ulm'][n % 3 + 1],
    DATE '2023-01-01' + CAST(n * 17 AS INTEGER), ['Novice', 'Skilled'][n % 2 + 1]
FROM range(1, 25) t(n);
INSERT INTO trainer SELECT
    n, ['Gil', 'Hal', 'Ida'][n % 3 + 1], 'Stone' || n, CASE WHEN n % 2 = 0 THEN DATE '2024-03-01' + CAST(n AS INTEGER) END
FROM range(1, 6) t(n);
INSERT INTO trail_point SELECT n, ['Oak', 'Mill', 'Ford', 'Hill'][n], n + 1 FROM range(1, 5) t(n);
INSERT INTO mount SELECT
    n, ['Bella', 'Comet', 'Dusty', 'Ebony', 'Flash'][n], ['Bay', 'Grey', 'Black'][n % 3 + 1], 400 + 13 * n, 10 + n, 30 - n,
    2 + n
FROM range(1, 6) t(n);
INSERT INTO riding_session SELECT
    n, n * 5 % 24 + 1, n % 5 + 1, n * 2 % 5 + 1, ['Oak', 'Mill', 'Ford', 'Hill'][n % 4 + 1],
    ['Oak', 'Mill', 'Ford', 'Hill'][n * 3 % 4 + 1], 20 + n * 7 % 50, DATE '2024-01-01' + CAST(n * 3 AS INTEGER),
    ['Cash', 'Card', 'Voucher'][n % 3 + 1]
FROM range(1, 91) t(n);
CREATE TABLE hall (hall_no INTEGER PRIMARY KEY, label VARCHAR, constructed_in INTEGER);
INSERT INTO hall SELECT n, ['North', 'South', 'East'][n], 1900 + 30 * n FROM range(1, 4) t(n);
CREATE TABLE grade (
    grade_no INTEGER PRIMARY KEY, learner_no INTEGER REFERENCES learner (learner_no), points INTEGER, given_on DATE
);
INSERT INTO grade SELECT n, n * 7 % 24 + 1, n * 5 % 11, DATE '2024-02-01' + CAST(n AS INTEGER) FROM range(1, 61) t(n);
