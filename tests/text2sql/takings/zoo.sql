-- A zoo sells tickets and snacks; its feeding shows may be cancelled, and buses come from other towns.
CREATE TABLE houses (house_id INTEGER PRIMARY KEY, house_name VARCHAR NOT NULL, region VARCHAR NOT NULL, monthly_upkeep_eur INTEGER, built_on DATE);
INSERT INTO houses VALUES (1, 'Savanna', 'North', 900, '1998-05-01'), (2, 'Aquarium', 'South', 1500, '2004-04-02'),
  (3, 'Aviary', 'North', 400, '1976-03-10'), (4, 'Reptile House', 'South', 700, '2015-06-20');
CREATE TABLE shows (show_id INTEGER PRIMARY KEY, house_id INTEGER NOT NULL REFERENCES houses (house_id), title VARCHAR NOT NULL,
  spoken_language VARCHAR NOT NULL, starts_at TIMESTAMP NOT NULL, status_cd VARCHAR NOT NULL, has_seats VARCHAR NOT NULL);
INSERT INTO shows VALUES (1, 1, 'Lion Feeding', 'English', '2023-05-01 11:00', 'RUN', 'Y'),
  (2, 1, 'Giraffe Walk', 'French', '2023-06-04 14:00', 'CNX', 'N'), (3, 2, 'Shark Talk', 'English', '2023-07-09 10:30', 'RUN', 'Y'),
  (4, 3, 'Owl Flight', 'German', '2024-05-11 15:00', 'CNX', 'Y'), (5, 3, 'Parrot Hour', 'English', '2024-06-15 12:00', 'RUN', 'N'),
  (6, 4, 'Snake Touch', 'French', '2024-08-03 16:00', 'CNX', 'N'), (7, 2, 'Seal Play', 'English', '2024-08-10 13:00', 'RUN', 'Y');
CREATE TABLE ticket_sales (sale_id INTEGER PRIMARY KEY, show_id INTEGER NOT NULL REFERENCES shows (show_id), sold_on DATE NOT NULL,
  channel VARCHAR NOT NULL, quantity INTEGER NOT NULL, unit_price_eur DECIMAL(6, 2) NOT NULL);
INSERT INTO ticket_sales VALUES (1, 1, '2023-04-28', 'web', 4, 12.00), (2, 1, '2023-05-01', 'door', 2, 14.00),
  (3, 3, '2023-07-08', 'web', 5, 10.00), (4, 3, '2023-07-09', 'door', 1, 12.00), (5, 5, '2024-06-14', 'web', 3, 11.00),
  (6, 5, '2024-06-15', 'door', 2, 13.00), (7, 7, '2024-08-10', 'web', 6, 9.00), (8, 7, '2024-08-10', 'door', 3, 10.00);
CREATE TABLE snacks (snack_id INTEGER PRIMARY KEY, snack_name VARCHAR NOT NULL, is_vegan VARCHAR NOT NULL, price_eur DECIMAL(6, 2) NOT NULL);
INSERT INTO snacks VALUES (1, 'Popcorn', 'Y', 3.50), (2, 'Hot Dog', 'N', 5.00), (3, 'Fruit Cup', 'Y', 4.00), (4, 'Crisps', 'Y', 2.50);
CREATE TABLE snack_sales (snack_sale_id INTEGER PRIMARY KEY, snack_id INTEGER NOT NULL REFERENCES snacks (snack_id),
  house_id INTEGER NOT NULL REFERENCES houses (house_id), sold_on DATE NOT NULL, quantity INTEGER NOT NULL);
INSERT INTO snack_sales VALUES (1, 1, 1, '2023-05-01', 10), (2, 2, 1, '2023-05-02', 4), (3, 3, 2, '2023-07-09', 6),
  (4, 1, 2, '2024-06-15', 7), (5, 2, 3, '2024-08-10', 9), (6, 1, 3, '2024-08-11', 2);
CREATE TABLE coaches (coach_no VARCHAR PRIMARY KEY, origin VARCHAR NOT NULL, destination VARCHAR NOT NULL, seats INTEGER NOT NULL, bought_on DATE NOT NULL);
INSERT INTO coaches VALUES ('C1', 'LIS', 'OPO', 50, '2019-02-03'), ('C2', 'OPO', 'LIS', 44, '2021-08-09'),
  ('C3', 'LIS', 'FAO', 30, '2017-11-30'), ('C4', 'FAO', 'LIS', 52, '2023-01-15');
CREATE TABLE visitors (visitor_id INTEGER PRIMARY KEY, full_name VARCHAR NOT NULL, home_town VARCHAR NOT NULL);
INSERT INTO visitors VALUES (1, 'Ana Reis', 'Porto'), (2, 'Rui Melo', 'Faro'), (3, 'Eva Pinto', 'Porto'), (4, 'Gil Costa', 'Lisbon');
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, visitor_id INTEGER NOT NULL REFERENCES visitors (visitor_id), ordered_on DATE NOT NULL, status_cd VARCHAR NOT NULL);
INSERT INTO orders VALUES (1, 1, '2024-01-03', 'CAN'), (2, 1, '2024-02-05', 'DEL'), (3, 2, '2024-02-06', 'CAN'),
  (4, 3, '2024-03-09', 'CAN'), (5, 4, '2024-03-12', 'DEL'), (6, 2, '2024-04-01', 'DEL');
CREATE TABLE outages (outage_id INTEGER PRIMARY KEY, house_id INTEGER NOT NULL REFERENCES houses (house_id), happened_on DATE NOT NULL, outage_minutes INTEGER NOT NULL);
INSERT INTO outages VALUES (1, 1, '2023-03-01', 90), (2, 2, '2023-05-02', 30), (3, 2, '2024-01-07', 240), (4, 4, '2024-09-09', 45);
CREATE TABLE projects (project_id INTEGER PRIMARY KEY, site VARCHAR NOT NULL, budget_keur INTEGER NOT NULL, runtime_weeks INTEGER NOT NULL);
INSERT INTO projects VALUES (1, 'East Gate', 120, 10), (2, 'East Gate', 80, 4), (3, 'Lake', 300, 26);
