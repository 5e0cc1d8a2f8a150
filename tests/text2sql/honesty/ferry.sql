CREATE TABLE harbour (harbour_id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR, has_crane INTEGER);
CREATE TABLE ferry (ferry_id INTEGER PRIMARY KEY, name VARCHAR, launched_year INTEGER, hull_colour VARCHAR,
    harbour_id INTEGER REFERENCES harbour, cars_per_hour INTEGER, daily_rent DECIMAL(8, 2));
CREATE TABLE passenger (passenger_id INTEGER PRIMARY KEY, name VARCHAR, loyalty VARCHAR, town VARCHAR);
CREATE TABLE sailing (sailing_id INTEGER PRIMARY KEY, ferry_id INTEGER REFERENCES ferry, sailed_on DATE,
    weather VARCHAR, length INTEGER);
CREATE TABLE ticket (ticket_id INTEGER PRIMARY KEY, sailing_id INTEGER REFERENCES sailing,
    passenger_id INTEGER REFERENCES passenger, price DECIMAL(8, 2));
CREATE TABLE announcement (announcement_id INTEGER PRIMARY KEY, ferry_id INTEGER REFERENCES ferry,
    made_at TIMESTAMP, language VARCHAR);
CREATE TABLE subsidy (subsidy_id INTEGER PRIMARY KEY, ferry_id INTEGER REFERENCES ferry, year INTEGER,
    amount DECIMAL(10, 2));
INSERT INTO harbour VALUES (1, 'North Quay', 'Oban', 1), (2, 'Old Pier', 'Mallaig', 0), (3, 'Stone Quay', 'Oban', 0);
INSERT INTO ferry VALUES (1, 'Heron', 1998, 'white', 1, 60, 900), (2, 'Puffin', 2006, 'red', 1, 45, 1200), (3, 'Gannet', 2015, 'blue', 2, 80, 700);
INSERT INTO passenger VALUES (1, 'Ann Reid', 'gold', 'Oban'), (2, 'Bob Muir', 'plain', 'Perth'),
    (3, 'Cat Shaw', 'gold', 'Mallaig'), (4, 'Dan Gow', 'plain', 'Oban');
INSERT INTO sailing VALUES (1, 1, '2023-03-01', 'calm', 2), (2, 1, '2023-07-04', 'rough', 3), (3, 2, '2024-03-02', 'calm', 3),
    (4, 3, '2024-08-19', 'foggy', 1), (5, 3, '2024-09-30', 'calm', 4);
INSERT INTO ticket VALUES (1, 1, 1, 12), (2, 1, 2, 15), (3, 2, 1, 12), (4, 3, 3, 20), (5, 4, 4, 9), (6, 5, 1, 30);
INSERT INTO announcement VALUES (1, 1, '2024-01-05 07:30', 'Gaelic'), (2, 2, '2024-01-05 13:10', 'English'),
    (3, 3, '2024-02-11 13:45', 'English');
INSERT INTO subsidy VALUES (1, 1, 2022, 5000), (2, 1, 2023, 5500), (3, 2, 2023, 7000), (4, 3, 2023, 4000);
