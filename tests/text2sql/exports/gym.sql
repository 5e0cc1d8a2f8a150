-- A gym: dates of birth instead of ages, and visits at their hours.
CREATE TABLE members_export (
    mbr_id INTEGER, fname VARCHAR, lname VARCHAR, dob DATE, plan_cd VARCHAR, join_dt DATE, cancel_dt DATE, home_club VARCHAR
);
CREATE TABLE visits (visit_id INTEGER, mbr_id INTEGER, club VARCHAR, checkin_ts TIMESTAMP, dur_min INTEGER);
INSERT INTO members_export SELECT
    n, ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva'][n % 5 + 1], ['Marsh', 'Nolan', 'Olsen', 'Pratt'][n % 4 + 1],
    DATE '1952-02-03' + CAST(n * n * 331 % 19000 AS INTEGER), ['BAS', 'STD', 'PRM'][n % 3 + 1],
    DATE '2023-01-01' + CAST(n * 9 AS INTEGER), if(n % 3 = 0, DATE '2024-02-01' + CAST(n * 11 AS INTEGER), NULL),
    ['North', 'South'][n % 2 + 1]
FROM range(1, 61) t(n);
INSERT INTO visits SELECT
    n, n * 7 % 60 + 1, ['North', 'South'][n % 2 + 1], TIMESTAMP '2024-01-01 06:10:00' + INTERVAL (n * n % 211 * 53) HOUR, 20 + n * 13 % 100
FROM range(1, 301) t(n);
