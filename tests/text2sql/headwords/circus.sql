CREATE TABLE act (
    act_id INTEGER PRIMARY KEY, act_name VARCHAR, top_speed INTEGER, lap_minutes INTEGER, deaths INTEGER, contact VARCHAR
);
CREATE TABLE employees (
    employee_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, manager_id INTEGER, salary INTEGER
);
CREATE TABLE performance (performance_id INTEGER PRIMARY KEY, act_id INTEGER REFERENCES act (act_id), shown_on DATE);
INSERT INTO act VALUES
    (1, 'Comets', 40, 9, 0, 'phone'), (2, 'Foxes', 75, 4, 2, 'mail'), (3, 'Zebra Run', 60, 12, 1, 'phone'),
    (4, 'Old Wheels', 20, 15, 0, 'phone'), (5, 'Max', 55, 7, 3, 'mail');
INSERT INTO employees VALUES
    (1, 'Odile', 'Kranz', 0, 900), (2, 'Adam', 'Mazur', 1, 500), (3, 'Mia', 'Zimmer', 1, 950), (4, 'Tim', 'Ruiz', 2, 300),
    (5, 'Suzan', 'Madsen', 2, 620), (6, 'Boz', 'Norton', 3, 410);
INSERT INTO performance SELECT n, n % 4 + 1, DATE '2024-05-01' + CAST(n AS INTEGER) FROM range(1, 14) t(n);
