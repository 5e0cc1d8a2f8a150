CREATE TABLE users (user_id INTEGER PRIMARY KEY, user_name TEXT, town TEXT);
INSERT INTO users VALUES (1, 'Ana Ruiz', 'Lund'), (2, 'Ben Sato', 'Lund'), (3, 'Cleo Tran', 'Malmo'), (4, 'Dov Ueda', 'Malmo');
CREATE TABLE deals (deal_id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES users, seller_id INTEGER REFERENCES users, dealt_on DATE, kind TEXT, price INTEGER);
INSERT INTO deals VALUES (1, 1, 3, '2023-01-09', 'bike', 10), (2, 2, 3, '2023-01-20', 'bike', 20), (3, 1, 4, '2023-05-02', 'lamp', 4),
  (4, 1, 3, '2024-01-03', 'bike', 40), (5, 2, 3, '2024-01-05', 'sofa', 90), (6, 2, 4, '2024-03-11', 'sofa', 80), (7, 2, 4, '2024-03-25', 'lamp', 6), (8, 1, 3, '2024-03-28', 'lamp', 7);
