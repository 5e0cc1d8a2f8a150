CREATE TABLE shops (shop_id INTEGER PRIMARY KEY, shop_name TEXT, city TEXT);
INSERT INTO shops VALUES (1, 'Quay', 'Bergen'), (2, 'Market', 'Oslo');
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, customer_name TEXT, segment TEXT);
INSERT INTO customers VALUES (1, 'Aker', 'Dealer'), (2, 'Bolt', 'Private'), (3, 'Cato', 'Private'), (4, 'Dale', 'Museum');
CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, shop_id INTEGER REFERENCES shops, sold_on DATE, sale_state TEXT);
INSERT INTO sales VALUES (1, 1, 1, '2024-01-05', 'delivered'), (2, 1, 2, '2024-02-09', 'cancelled'), (3, 2, 1, '2024-02-20', 'delivered'), (4, 3, 2, '2024-05-01', 'delivered'), (5, 3, 2, '2025-01-11', 'delivered');
CREATE TABLE sale_lines (line_id INTEGER PRIMARY KEY, sale_id INTEGER REFERENCES sales, product TEXT, qty INTEGER, unit_price INTEGER);
INSERT INTO sale_lines VALUES (1, 1, 'lamp', 2, 10), (2, 1, 'rug', 1, 50), (3, 2, 'lamp', 1, 10), (4, 3, 'sofa', 1, 300), (5, 4, 'lamp', 3, 10), (6, 5, 'rug', 2, 50);
CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, opened_at TIMESTAMP, answered_at TIMESTAMP, closed_at TIMESTAMP, status TEXT);
INSERT INTO tickets VALUES (1, 1, '2024-01-10 09:00', '2024-01-10 12:00', '2024-01-14 09:00', 'closed'), (2, 1, '2024-02-01 08:00', '2024-02-02 10:00', NULL, 'open'),
  (3, 2, '2024-02-03 10:00', '2024-02-03 11:00', '2024-02-05 10:00', 'closed'), (4, 4, '2024-03-01 15:00', '2024-03-05 09:00', NULL, 'open'), (5, 4, '2024-03-02 15:00', '2024-03-06 09:00', '2024-03-08 15:00', 'closed');
CREATE TABLE ticket_messages (message_id INTEGER PRIMARY KEY, ticket_id INTEGER REFERENCES tickets, author_type TEXT, sent_at TIMESTAMP);
INSERT INTO ticket_messages VALUES (1, 1, 'customer', '2024-01-10 09:00'), (2, 1, 'agent', '2024-01-10 12:00'), (3, 1, 'customer', '2024-01-11 12:00'), (4, 2, 'customer', '2024-02-01 08:00'), (5, 3, 'customer', '2024-02-03 10:00');
CREATE TABLE hires (hire_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, hired_on DATE, rent INTEGER, insurance INTEGER);
INSERT INTO hires VALUES (1, 1, '2024-03-01', 100, 10), (2, 2, '2024-04-01', 200, 15), (3, 2, '2024-05-01', 50, 5);
CREATE TABLE shop_visits (visit_id INTEGER PRIMARY KEY, shop_id INTEGER REFERENCES shops, entry_ts TIMESTAMP, exit_ts TIMESTAMP);
INSERT INTO shop_visits VALUES (1, 1, '2024-01-02 10:00', '2024-01-02 10:30'), (2, 1, '2024-01-03 11:00', '2024-01-03 12:30'), (3, 2, '2024-01-03 09:00', '2024-01-03 09:20');
