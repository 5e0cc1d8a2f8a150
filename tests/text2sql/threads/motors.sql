-- Garages keep cars and sell cars, some of them cars that another keeps.
CREATE TABLE garage (garage_id INTEGER PRIMARY KEY, garage_name VARCHAR);
CREATE TABLE car (car_id INTEGER PRIMARY KEY, garage_id INTEGER REFERENCES garage (garage_id), model VARCHAR, condition VARCHAR);
CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, car_id INTEGER REFERENCES car (car_id), garage_id INTEGER REFERENCES garage (garage_id), sale_date DATE, price DECIMAL(10,2));
INSERT INTO garage VALUES (1, 'Mill Lane'), (2, 'Harbour'), (3, 'North Gate');
INSERT INTO car SELECT i, i % 3 + 1, 'Model ' || i % 7, ['new', 'used'][i % 2 + 1] FROM range(1, 91) t(i);
INSERT INTO sale SELECT i, i, i % 4 % 3 + 1, DATE '2023-01-10' + CAST((i * i * 3) % 700 AS INTEGER), 8000 + 50 * i FROM range(1, 81) t(i);
