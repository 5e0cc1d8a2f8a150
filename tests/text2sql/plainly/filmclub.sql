CREATE TABLE films (film_id INTEGER PRIMARY KEY, title VARCHAR, director VARCHAR, language VARCHAR, minutes INTEGER);
INSERT INTO films SELECT
    n, 'Film ' || n, ['Ann Lee', 'Bob Moss', 'Cem Kaya'][n % 3 + 1], ['Danish', 'Welsh', 'Danish', 'Greek'][n % 4 + 1], 80 + n
FROM range(1, 17) t(n);
CREATE TABLE critics (critic_id INTEGER PRIMARY KEY, full_name VARCHAR);
INSERT INTO critics SELECT n, ['Dora Elm', 'Egon Fir', 'Fay Grove', 'Gus Holm'][n] FROM range(1, 5) t(n);
CREATE TABLE rating (
    rating_id INTEGER PRIMARY KEY, film_id INTEGER REFERENCES films (film_id),
    critic_id INTEGER REFERENCES critics (critic_id), stars INTEGER, rating_date DATE
);
INSERT INTO rating SELECT
    n, n * 5 % 11 + 1, CASE WHEN n < 12 THEN 1 WHEN n < 20 THEN 2 ELSE 3 END, n % 5 + 1,
    CASE WHEN n % 4 > 0 THEN DATE '2024-01-01' + CAST(n AS INTEGER) END
FROM range(1, 23) t(n);
CREATE TABLE nomination (
    nomination_id INTEGER PRIMARY KEY, film_id INTEGER REFERENCES films (film_id), award VARCHAR, result VARCHAR
);
INSERT INTO nomination SELECT n, n * 2, ['Palm', 'Bear'][n % 2 + 1], ['Nominated', 'Won'][n % 2 + 1] FROM range(1, 7) t(n);
CREATE TABLE halls (hall_id INTEGER PRIMARY KEY, hall_name VARCHAR, seat_count INTEGER, heating_value INTEGER);
INSERT INTO halls SELECT n, 'Hall ' || n, 40 * n, n % 2 FROM range(1, 7) t(n);
CREATE TABLE hall_facilities (hall_id INTEGER REFERENCES halls (hall_id), facility VARCHAR, PRIMARY KEY (hall_id, facility));
INSERT INTO hall_facilities SELECT n, 'Bar' FROM range(1, 5) t(n) UNION ALL SELECT n, 'Ramp' FROM range(2, 7) t(n);
CREATE TABLE members (member_id INTEGER PRIMARY KEY, member_name VARCHAR);
INSERT INTO members SELECT n, ['Ivo', 'Jan', 'Kim', 'Lea', 'Max'][n] || ' Ash' FROM range(1, 6) t(n);
CREATE TABLE addresses (address_id INTEGER PRIMARY KEY, street VARCHAR, county VARCHAR);
INSERT INTO addresses SELECT n, n || ' Mill Road', ['Kerry', 'Mayo', 'Sligo'][n % 3 + 1] FROM range(1, 7) t(n);
CREATE TABLE member_addresses (
    member_id INTEGER REFERENCES members (member_id), address_id INTEGER REFERENCES addresses (address_id),
    PRIMARY KEY (member_id, address_id)
);
INSERT INTO member_addresses SELECT n, n FROM range(1, 6) t(n) UNION ALL SELECT n, n + 1 FROM range(1, 6) t(n);
