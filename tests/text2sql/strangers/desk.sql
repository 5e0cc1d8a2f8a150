CREATE TABLE chats (chat_id INTEGER PRIMARY KEY, agent TEXT, dir_cd TEXT, began_on DATE);
INSERT INTO chats VALUES (1, 'Ana', 'IN', '2024-01-02'), (2, 'Ana', 'OUT', '2024-01-03'), (3, 'Ben', 'IN', '2024-02-04'), (4, 'Cleo', 'IN', '2023-02-04'), (5, 'Dov', 'OUT', '2024-03-01');
CREATE TABLE bills (bill_id INTEGER PRIMARY KEY, amount INTEGER, status_code TEXT, paid_on DATE);
INSERT INTO bills VALUES (1, 10, 'PAD', '2023-02-01'), (2, 20, 'OPN', NULL), (3, 4, 'CNX', NULL), (4, 40, 'OPN', NULL), (5, 90, 'PAD', '2024-02-02');
