CREATE TABLE stations (station_id INTEGER PRIMARY KEY, title VARCHAR, city VARCHAR);
CREATE TABLE shows (
    show_id INTEGER PRIMARY KEY, station_id INTEGER REFERENCES stations (station_id), title VARCHAR, genre VARCHAR,
    seconds INTEGER, market_share DOUBLE, average_listeners INTEGER, income DOUBLE, expense DOUBLE, planned_date DATE,
    aired_date DATE
);
INSERT INTO stations VALUES (1, 'Wave', 'Lima'), (2, 'Peak', 'Quito');
INSERT INTO shows VALUES
    (1, 1, 'Dawn', 'News', 1800, 0.04, 500, 100, 60, '2024-01-01', '2024-01-01'),
    (2, 1, 'Noon', 'Talk', 3600, 0.10, 900, 250, 300, '2024-01-02', '2024-01-05'),
    (3, 2, 'Dusk', 'News', 2700, 0.05, 300, 80, 20, '2024-03-01', '2024-03-02'),
    (4, 2, 'Night', 'Music', 7200, 0.31, 1200, 400, 150, '2024-04-01', '2024-03-28');
