CREATE TABLE client (client_id INTEGER PRIMARY KEY, client_name VARCHAR, enlisted_on DATE, last_seen_on DATE);
CREATE TABLE crane (crane_id INTEGER PRIMARY KEY, crane_name VARCHAR, bought_on DATE, purchase_price INTEGER, sold_on DATE);
CREATE TABLE hire_contract (contract_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES client, agreed_on DATE,
    starts_on DATE, ends_on DATE, terminated_on DATE);
CREATE TABLE contract_line (line_id INTEGER PRIMARY KEY, contract_id INTEGER REFERENCES hire_contract,
    crane_id INTEGER REFERENCES crane, days INTEGER);
CREATE TABLE rent_payment (payment_id INTEGER PRIMARY KEY, contract_id INTEGER REFERENCES hire_contract, due_on DATE,
    paid_on DATE, amount INTEGER);
CREATE TABLE takeback (takeback_id INTEGER PRIMARY KEY, contract_id INTEGER REFERENCES hire_contract, taken_on DATE,
    refund_amount INTEGER);
CREATE TABLE repair_job (repair_id INTEGER PRIMARY KEY, crane_id INTEGER REFERENCES crane, received_on DATE,
    promised_on DATE, finished_on DATE, collected_on DATE);
INSERT INTO client VALUES (1, 'Abel', '2023-02-01', '2024-12-01'), (2, 'Bors', '2024-01-10', '2024-12-02'),
    (3, 'Cato', '2024-11-20', '2024-12-03'), (4, 'Dima', '2024-12-28', '2025-02-03'), (5, 'Egil', '2024-03-28', '2025-02-05');
INSERT INTO crane VALUES (1, 'Titan', '2020-01-01', 900, NULL), (2, 'Atlas', '2021-01-01', 700, '2024-06-01'),
    (3, 'Giant', '2022-01-01', 800, NULL);
INSERT INTO hire_contract VALUES (1, 1, '2024-01-02', '2024-01-05', '2024-03-05', NULL),
    (2, 2, '2024-02-02', '2024-02-05', '2025-02-05', '2024-05-01'), (3, 3, '2024-12-01', '2025-01-05', '2025-03-05', NULL),
    (4, 4, '2025-01-05', '2025-01-15', '2025-04-05', NULL), (5, 1, '2023-10-05', '2023-11-15', '2024-04-05', NULL);
INSERT INTO contract_line VALUES (1, 1, 1, 10), (2, 1, 2, 20), (3, 2, 2, 30), (4, 3, 1, 5), (5, 4, 3, 6), (6, 5, 1, 6);
INSERT INTO rent_payment VALUES (1, 1, '2024-02-01', '2024-02-10', 50), (2, 2, '2024-03-01', '2024-02-20', 60),
    (3, 2, '2024-04-01', '2024-04-09', 60), (4, 3, '2025-02-01', NULL, 70), (5, 4, '2025-02-15', '2025-02-15', 10);
INSERT INTO takeback VALUES (1, 1, '2024-02-15', 20), (2, 2, '2024-03-15', 25), (3, 3, '2025-01-20', 5);
INSERT INTO repair_job VALUES (1, 1, '2024-05-03', '2024-05-08', '2024-06-02', '2024-06-03'),
    (2, 2, '2024-05-05', '2024-05-09', '2024-05-09', '2024-05-12'), (3, 3, '2024-04-28', '2024-05-02', '2024-05-04', '2024-05-04'),
    (4, 1, '2024-05-25', '2024-06-01', '2024-06-05', '2024-06-09');
