CREATE TABLE hall (hall_id INTEGER PRIMARY KEY, hall_name VARCHAR, town VARCHAR, floor_area INTEGER);
CREATE TABLE climber (climber_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, town VARCHAR,
    registered_on DATE, home_hall_id INTEGER REFERENCES hall);
CREATE TABLE coach (coach_id INTEGER PRIMARY KEY, coach_name VARCHAR, hall_id INTEGER REFERENCES hall, hired_on DATE,
    left_on DATE);
CREATE TABLE gear (gear_id INTEGER PRIMARY KEY, gear_name VARCHAR, kind VARCHAR, list_price INTEGER);
CREATE TABLE session (session_id INTEGER PRIMARY KEY, climber_id INTEGER REFERENCES climber,
    hall_id INTEGER REFERENCES hall, starts_on DATE, status VARCHAR);
CREATE TABLE gear_sale (sale_id INTEGER PRIMARY KEY, climber_id INTEGER REFERENCES climber,
    gear_id INTEGER REFERENCES gear, hall_id INTEGER REFERENCES hall, sold_on DATE, quantity INTEGER, unit_price INTEGER);
CREATE TABLE invoice (invoice_id INTEGER PRIMARY KEY, climber_id INTEGER REFERENCES climber, issued_on DATE,
    due_on DATE, paid_on DATE, amount INTEGER);
CREATE TABLE review (review_id INTEGER PRIMARY KEY, climber_id INTEGER REFERENCES climber,
    hall_id INTEGER REFERENCES hall, posted_on DATE, stars INTEGER);
CREATE TABLE repair (repair_id INTEGER PRIMARY KEY, hall_id INTEGER REFERENCES hall, opened_on DATE, completed_on DATE);
INSERT INTO hall VALUES (1, 'Granite', 'Brno', 400), (2, 'Basalt', 'Zlin', 900), (3, 'Slate', 'Opava', 300);
INSERT INTO climber VALUES (1, 'Ada', 'Fox', 'Brno', '2023-05-01', 1), (2, 'Bo', 'Gray', 'Brno', '2023-12-20', 2),
    (3, 'Cy', 'Hale', 'Zlin', '2024-02-01', 1), (4, 'Di', 'Ives', 'Opava', '2024-03-01', 1),
    (5, 'Ed', 'Judd', 'Zlin', '2024-11-30', 2);
INSERT INTO coach VALUES (1, 'Uma', 1, '2020-01-01', NULL), (2, 'Vic', 1, '2021-01-01', '2023-06-30'),
    (3, 'Wes', 2, '2022-01-01', NULL);
INSERT INTO gear VALUES (1, 'Rope', 'safety', 100), (2, 'Chalk', 'care', 10), (3, 'Helmet', 'safety', 60);
INSERT INTO session VALUES (1, 1, 1, '2023-06-01', 'held'), (2, 1, 1, '2024-01-10', 'held'),
    (3, 2, 2, '2023-12-22', 'held'), (4, 3, 1, '2024-02-14', 'cancelled'), (5, 4, 3, '2024-03-02', 'held'),
    (6, 4, 1, '2024-03-09', 'no-show'), (7, 3, 1, '2024-05-02', 'held'), (8, 5, 2, '2025-01-03', 'held');
INSERT INTO gear_sale VALUES (1, 1, 1, 1, '2024-01-10', 1, 90), (2, 2, 2, 2, '2024-01-12', 5, 8),
    (3, 3, 3, 2, '2024-02-14', 1, 60), (4, 4, 2, 1, '2025-03-02', 3, 10);
INSERT INTO invoice VALUES (1, 1, '2023-12-15', '2023-12-31', '2024-01-05', 40), (2, 1, '2024-01-15', '2024-01-31',
    '2024-01-20', 40), (3, 2, '2024-01-15', '2024-01-31', NULL, 55), (4, 3, '2024-03-15', '2024-03-31', '2024-04-09', 40),
    (5, 4, '2024-12-15', '2024-12-31', '2025-01-04', 70), (6, 5, '2025-01-15', '2025-01-31', '2025-01-30', 30);
INSERT INTO review VALUES (1, 1, 1, '2024-01-11', 3), (2, 2, 2, '2024-01-13', 4), (3, 4, 3, '2024-03-03', 5);
INSERT INTO repair VALUES (1, 1, '2024-01-20', '2024-02-03'), (2, 2, '2024-01-25', '2024-01-29'),
    (3, 1, '2024-02-11', '2024-02-20'), (4, 3, '2023-12-30', '2024-02-02');
