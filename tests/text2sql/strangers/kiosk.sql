CREATE TABLE buyers (buyer_id INTEGER PRIMARY KEY, buyer_name TEXT, region TEXT);
INSERT INTO buyers VALUES (1, 'Alba', 'West'), (2, 'Brno', 'West'), (3, 'Cork', 'East'), (4, 'Dole', 'West');
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers, ordered_on DATE);
INSERT INTO orders VALUES (1, 1, '2024-01-02'), (2, 1, '2024-02-02'), (3, 2, '2024-02-09'), (4, 3, '2025-01-05'),
  (5, 2, '2025-03-05'), (6, 1, '2025-04-01'), (7, 4, '2025-04-02');
CREATE TABLE order_lines (line_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders, qty INTEGER, price DECIMAL(6, 2));
INSERT INTO order_lines VALUES (1, 1, 2, 5.00), (2, 1, 1, 9.00), (3, 2, 3, 5.00), (4, 3, 1, 7.00), (5, 4, 4, 2.50), (6, 4, 1, 9.00),
  (7, 5, 2, 7.00), (8, 6, 1, 5.00), (9, 7, 5, 1.00);
CREATE TABLE adverts (advert_id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers, comment TEXT);
INSERT INTO adverts VALUES (1, 1, 'nice'), (2, 1, NULL), (3, 3, NULL);
CREATE TABLE advert_views (advert_id INTEGER REFERENCES adverts, seen_on DATE, views INTEGER, PRIMARY KEY (advert_id, seen_on));
INSERT INTO advert_views VALUES (1, '2024-01-01', 10), (1, '2024-01-02', 20), (2, '2024-01-01', 4), (3, '2024-01-01', 9), (3, '2024-01-03', 1);
CREATE TABLE dues (due_id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers, fees DECIMAL(6, 2), fines DECIMAL(6, 2));
INSERT INTO dues VALUES (1, 1, 3.00, 1.00), (2, 3, 4.00, 0.50);
CREATE TABLE parcels (parcel_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders, ship_name TEXT, ship_country TEXT, required_on DATE,
  shipped_on DATE);
INSERT INTO parcels VALUES (1, 1, 'Alba Ltd', 'Spain', '2024-01-09', '2024-01-08'), (2, 2, 'Alba Ltd', 'Spain', '2024-02-09', '2024-02-12'),
  (3, 3, 'Brno s.r.o.', 'France', '2024-02-16', '2024-02-19'), (4, 4, 'Cork & Co', 'Spain', '2025-01-12', '2025-01-12');
CREATE TABLE stalls (stall_id INTEGER PRIMARY KEY, stall_name TEXT, opened_on DATE, closed_on DATE);
INSERT INTO stalls VALUES (1, 'Harbour', '2020-05-01', NULL), (2, 'Market', '2021-06-01', '2024-08-31'), (3, 'Gate', '2023-02-01', '2024-09-30');
CREATE TABLE fairs (fair_id INTEGER PRIMARY KEY, stall_id INTEGER REFERENCES stalls, fair_kind TEXT, is_cancelled BOOLEAN, held_on DATE);
INSERT INTO fairs VALUES (1, 1, 'Flea', false, '2023-03-01'), (2, 2, 'Flea', true, '2023-04-01'), (3, 3, 'Book', true, '2023-05-02'),
  (4, 1, 'Flea', true, '2024-03-01'), (5, 2, 'Book', false, '2024-04-01');
