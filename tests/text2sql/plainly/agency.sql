CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, date_of_birth DATE);
INSERT INTO staff SELECT
    n, ['Amy', 'Bob', 'Cid'][n % 3 + 1], 'Stern ' || n, DATE '1980-05-01' + CAST(n * 111 AS INTEGER)
FROM range(1, 10) t(n);
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, date_of_birth DATE, phone VARCHAR);
INSERT INTO customers SELECT
    n, ['Dot', 'Eli', 'Fay'][n % 3 + 1], 'Kurz ' || n, DATE '1990-01-01' + CAST(n * 55 AS INTEGER), '555-' || n
FROM range(1, 21) t(n);
CREATE TABLE lessons (
    lesson_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (customer_id),
    staff_id INTEGER REFERENCES staff (staff_id), registered VARCHAR
);
INSERT INTO lessons SELECT n, n * 3 % 20 + 1, n * 5 % 9 + 1, ['08/30/2015', '10/12/2015', '09/09/2015'][n % 3 + 1]
FROM range(1, 41) t(n);
CREATE TABLE claims (
    claim_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (customer_id), date_claim_made DATE,
    date_claim_settled DATE, amount_claimed INTEGER, amount_settled INTEGER
);
INSERT INTO claims SELECT
    n, n * 7 % 20 + 1, DATE '2020-01-01' + CAST(n * 9 AS INTEGER), DATE '2020-02-11' + CAST(n * 13 AS INTEGER), n * 131 % 900,
    n * 57 % 400
FROM range(1, 31) t(n);
CREATE TABLE albums (album_id INTEGER PRIMARY KEY, album_title VARCHAR, weeks_on_top INTEGER, lifespan INTEGER);
INSERT INTO albums SELECT n, 'Album ' || n, n % 6, n * 3 FROM range(1, 13) t(n);
CREATE TABLE singers (singer_name VARCHAR PRIMARY KEY, country VARCHAR, gender VARCHAR);
INSERT INTO singers VALUES
    ('Aleya', 'Bangladesh', 'Female'), ('Brian', 'UK', 'Male'), ('Enna', 'UK', 'Female'), ('Jyoti', 'India', 'Female'),
    ('Kumar', 'India', 'Male');
CREATE TABLE songs (
    song_name VARCHAR PRIMARY KEY, singer_name VARCHAR REFERENCES singers (singer_name), country VARCHAR, languages VARCHAR
);
INSERT INTO songs VALUES
    ('Tumi', 'Aleya', 'Bangladesh', 'bangla'), ('Raat', 'Kumar', 'India', 'bangla'), ('Just', 'Enna', 'UK', 'english'),
    ('Home', 'Brian', 'UK', 'english'), ('Aaj', 'Jyoti', 'India', 'hindi');
CREATE TABLE flights (flight_no INTEGER PRIMARY KEY, origin VARCHAR, destination VARCHAR, price INTEGER);
INSERT INTO flights SELECT
    n, ['Los Angeles', 'Chicago'][n % 2 + 1], ['Honolulu', 'Boston', 'Tokyo'][n % 3 + 1], n * 37 % 400 FROM range(1, 25) t(n);
