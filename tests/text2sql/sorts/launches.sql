-- Water taxis: each ride begins at one pier and ends at another, by two keys to one lookup with short names.
CREATE TABLE pier_lookup (PierID INTEGER PRIMARY KEY, Pier VARCHAR, Shore VARCHAR);
CREATE TABLE blue_taxi_rides (RideID INTEGER PRIMARY KEY, PUPierID INTEGER REFERENCES pier_lookup (PierID), DOPierID INTEGER REFERENCES pier_lookup (PierID), begun_at TIMESTAMP, distance_km DOUBLE, fare DOUBLE);
INSERT INTO pier_lookup VALUES (1, 'Mill Stairs', 'East'), (2, 'Abbey Steps', 'East'), (3, 'Cannon Quay', 'West'), (4, 'Old Ferry', 'West'), (5, 'Heron Island', 'North');
INSERT INTO blue_taxi_rides SELECT i, 1 + (i * 7) % 5, 1 + (i * i * 3 + i) % 5, TIMESTAMP '2024-01-01 07:00:00' + INTERVAL (i * 19) HOUR, 1 + (i * 31) % 17 + i / 1000.0, 5 + (i * 17) % 23 FROM range(1, 181) t(i);
