CREATE TABLE towns (town_id INTEGER PRIMARY KEY, town_name VARCHAR, region VARCHAR);
CREATE TABLE stations (
    station_id INTEGER PRIMARY KEY, station_name VARCHAR, town_id INTEGER REFERENCES towns (town_id), docks INTEGER
);
CREATE TABLE riders (
    rider_id INTEGER PRIMARY KEY, rider_name VARCHAR, town_id INTEGER REFERENCES towns (town_id), plan VARCHAR,
    age INTEGER
);
CREATE TABLE trips (
    trip_id INTEGER PRIMARY KEY, rider_id INTEGER REFERENCES riders (rider_id),
    station_id INTEGER REFERENCES stations (station_id), started_at TIMESTAMP, duration INTEGER, status VARCHAR,
    fare DOUBLE
);
INSERT INTO towns VALUES (1, 'Oulu', 'North'), (2, 'Turku', 'South'), (3, 'Pori', 'South');
INSERT INTO stations VALUES
    (1, 'Harbour', 1, 10), (2, 'Market', 1, 25), (3, 'Castle', 2, 15), (4, 'Airport', 2, 40), (5, 'Beach', 3, 12),
    (6, 'Depot', 1, 8);
INSERT INTO riders VALUES
    (1, 'Aino', 1, 'Member', 31), (2, 'Eero', 1, 'Casual', 45), (3, 'Ilta', 2, 'Member', 27),
    (4, 'Onni', 2, 'Casual', 52), (5, 'Saga', 3, 'Member', 38), (6, 'Urho', 3, 'Casual', 61);
INSERT INTO trips VALUES
    (1, 1, 1, '2023-02-03 08:10', 600, 'finished', 2.0), (2, 1, 2, '2023-08-09 08:40', 1200, 'finished', 4.5),
    (3, 1, 1, '2024-03-11 17:05', 300, 'late', 6.0), (4, 2, 1, '2023-05-20 17:30', 9000, 'late', 30.0),
    (5, 2, 3, '2023-11-02 12:00', 1800, 'finished', 7.0), (6, 3, 3, '2024-01-15 08:20', 900, 'finished', 3.0),
    (7, 3, 4, '2024-09-01 09:15', 5400, 'lost', 18.0), (8, 4, 4, '2023-10-10 12:45', 2400, 'finished', 8.0),
    (9, 4, 3, '2024-07-07 08:55', 720, 'late', 9.0), (10, 5, 5, '2024-06-30 17:50', 480, 'finished', 1.5),
    (11, 5, 5, '2024-12-24 12:10', 120000, 'lost', 60.0), (12, 1, 2, '2024-10-05 09:30', 660, 'finished', 2.5);
