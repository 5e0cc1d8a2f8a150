-- A sailing museum whose names are seldom the words that people use of it.
CREATE TABLE vessel (vessel_id INTEGER PRIMARY KEY, name VARCHAR, kind VARCHAR, ensign VARCHAR, construction_year INTEGER, hull_mass DOUBLE, draft DOUBLE, yearly_earnings_bn DOUBLE);
INSERT INTO vessel VALUES
    (1, 'Argo', 'schooner', 'Norway', 1901, 210, 3.5, 1.2), (2, 'Brisk', 'brig', 'Spain', 1888, 340, 4.1, 0.4), (3, 'Comet', 'schooner', 'Norway', 1923, 150, 2.9, 2.5),
    (4, 'Dart', 'yacht', 'Italy', 1950, 40, 1.7, 0.9);
CREATE TABLE skipper (skipper_id INTEGER PRIMARY KEY, full_name VARCHAR, years_old INTEGER, birth_place VARCHAR, birth_date DATE, vessel_id INTEGER REFERENCES vessel (vessel_id));
INSERT INTO skipper VALUES
    (1, 'Anna Berg', 44, 'Bergen', DATE '1981-03-04', 1), (2, 'Bo Castro', 61, 'Cadiz', DATE '1964-09-21', 2), (3, 'Cleo Dahl', 29, 'Oslo', DATE '1996-01-30', 3);
CREATE TABLE harbour (harbour_id INTEGER PRIMARY KEY, name VARCHAR, place VARCHAR, capacity INTEGER, opening_year INTEGER);
INSERT INTO harbour VALUES (1, 'North Quay', 'Bergen', 40, 1870), (2, 'Old Dock', 'Cadiz', 120, 1790), (3, 'West Pier', 'Genoa', 80, 1931);
CREATE TABLE contest (contest_id INTEGER PRIMARY KEY, title VARCHAR, held_on DATE, harbour_id INTEGER REFERENCES harbour (harbour_id), standard_fee DOUBLE, spectators INTEGER);
INSERT INTO contest VALUES
    (1, 'Spring Cup', DATE '2024-04-06', 1, 20, 900), (2, 'Harbour Sprint', DATE '2024-06-15', 1, 35, 1500), (3, 'Night Race', DATE '2024-08-10', 2, 50, 2400),
    (4, 'Last Sail', DATE '2024-10-05', 2, 15, 700);
CREATE TABLE furniture (furniture_id INTEGER PRIMARY KEY, name VARCHAR, room VARCHAR, worth DOUBLE);
INSERT INTO furniture VALUES (1, 'Chart table', 'Cabin', 900), (2, 'Bunk', 'Cabin', 300), (3, 'Bell stand', 'Hall', 450);
CREATE TABLE demand_forecast (forecast_id INTEGER PRIMARY KEY, harbour_id INTEGER REFERENCES harbour (harbour_id), year INTEGER, visitors INTEGER);
INSERT INTO demand_forecast VALUES (1, 1, 2026, 5000), (2, 2, 2026, 9000), (3, 3, 2026, 7000);
CREATE TABLE donor (donor_id INTEGER PRIMARY KEY, name VARCHAR, address VARCHAR, means VARCHAR);
INSERT INTO donor VALUES (1, 'Dora Eck', '12 Bay Rd, Casper, WY 82601', 'Card'), (2, 'Finn Gale', '3 Low St, Cody, WY 82414', 'Cash'), (3, 'Hedda Ives', '8 Hill Ave, Boise, ID 83701', 'Card');
