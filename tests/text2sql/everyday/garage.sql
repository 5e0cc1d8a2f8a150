CREATE TABLE owners (
    owner_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, town VARCHAR, newsletter BOOLEAN, joined_on DATE
);
CREATE TABLE mechanics (mechanic_id INTEGER PRIMARY KEY, mechanic_name VARCHAR, grade VARCHAR);
CREATE TABLE cars (
    car_id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners (owner_id), make VARCHAR, fuel VARCHAR, built INTEGER
);
CREATE TABLE repairs (
    repair_id INTEGER PRIMARY KEY, car_id INTEGER REFERENCES cars (car_id),
    mechanic_id INTEGER REFERENCES mechanics (mechanic_id), status VARCHAR, brought_on DATE, promised_on DATE,
    finished_on DATE, cost DOUBLE
);
CREATE TABLE parts (part_id INTEGER PRIMARY KEY, part_name VARCHAR, supplier VARCHAR, list_price DOUBLE);
CREATE TABLE repair_parts (
    repair_part_id INTEGER PRIMARY KEY, repair_id INTEGER REFERENCES repairs (repair_id),
    part_id INTEGER REFERENCES parts (part_id), quantity INTEGER, unit_price DOUBLE, discount DOUBLE
);
INSERT INTO owners SELECT
    n, ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gus'][n % 7 + 1], ['Marsh', 'Nolan', 'Olsen', 'Pratt', 'Quinn'][n % 5 + 1],
    ['Kiel', 'Lund', 'Metz', 'Nice'][n % 4 + 1], n % 3 = 0, DATE '2022-01-01' + CAST(n * 29 AS INTEGER)
FROM range(1, 41) t(n);
INSERT INTO mechanics VALUES
    (1, 'Rosa', 'Master'), (2, 'Sven', 'Master'), (3, 'Timo', 'Junior'), (4, 'Uma', 'Junior'), (5, 'Vito', 'Trainee');
INSERT INTO cars SELECT
    n, n * 7 % 34 + 1, ['Volvo', 'Fiat', 'Skoda', 'Mazda'][n * n % 4 + n % 3 + 1 - CAST(n % 3 = 2 AS INTEGER)],
    ['petrol', 'diesel', 'electric'][n % 3 + 1], 2005 + n * 3 % 17
FROM range(1, 51) t(n);
INSERT INTO repairs SELECT
    n, n * 11 % 46 + 1, n * 5 % 4 + 1, ['finished', 'finished', 'open', 'cancelled', 'finished'][n % 5 + 1],
    DATE '2023-01-05' + CAST(n * 6 AS INTEGER), DATE '2023-01-05' + CAST(n * 6 + 4 AS INTEGER),
    CASE WHEN n % 5 IN (0, 1, 4) THEN DATE '2023-01-05' + CAST(n * 6 + n % 7 + 1 AS INTEGER) END, 60 + n * 37 % 400
FROM range(1, 141) t(n);
INSERT INTO parts SELECT
    n, ['Belt', 'Brake', 'Clutch', 'Filter', 'Lamp', 'Pump'][n % 6 + 1] || ' ' || n, ['Acme', 'Bolt', 'Cogs'][n % 3 + 1], 5 + n * 13 % 90
FROM range(1, 19) t(n);
INSERT INTO repair_parts SELECT
    n, n * 3 % 120 + 1, n * 5 % 16 + 1, n % 4 + 1, 5 + n * 17 % 80, [0, 0, 0.1, 0.25][n % 4 + 1]
FROM range(1, 201) t(n);
