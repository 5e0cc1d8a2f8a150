CREATE TABLE staff (
  staff_id INTEGER PRIMARY KEY, full_name VARCHAR, team VARCHAR, hourly_rate DECIMAL(6, 2), highest_degree VARCHAR
);
INSERT INTO staff VALUES (1, 'Priya Raman', 'first line', 31, 'Master'), (2, 'Liam Okafor', 'second line', 44, 'Bachelor'),
  (3, 'Aoife Brennan', 'first line', 29.5, NULL);
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, company_name VARCHAR, country VARCHAR, signed_up_on DATE);
INSERT INTO customers SELECT i, 'Company ' || i, ['Germany', 'France', 'Spain'][1 + i % 3], DATE '2023-01-10' + (i * 20)::INT
FROM range(1, 21) t(i);
CREATE TABLE tickets (
  ticket_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers, assigned_to INTEGER REFERENCES staff,
  priority VARCHAR, opened_at TIMESTAMP, closed_at TIMESTAMP
);
INSERT INTO tickets SELECT i, 1 + i % 20, CASE WHEN i % 6 = 0 THEN NULL ELSE 1 + i % 3 END, ['low', 'normal', 'high'][1 + i % 3],
  TIMESTAMP '2024-01-02 09:00:00' + to_days((i * 5)::INT),
  CASE WHEN i % 4 = 0 THEN NULL ELSE TIMESTAMP '2024-01-03 10:00:00' + to_days((i * 5)::INT) END
FROM range(1, 121) t(i);
CREATE TABLE invoices (
  invoice_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers, issued_on DATE, paid_on DATE,
  amount DECIMAL(10, 2)
);
INSERT INTO invoices SELECT i, 1 + i % 20, DATE '2024-01-05' + (i * 7)::INT, DATE '2024-01-05' + (i * 7 + 3 + i % 9)::INT, 50 + i * 3
FROM range(1, 81) t(i);
CREATE TABLE refunds (
  refund_id INTEGER PRIMARY KEY, invoice_id INTEGER NOT NULL REFERENCES invoices, refunded_on DATE, amount DECIMAL(10, 2)
);
INSERT INTO refunds SELECT i, i * 5, DATE '2024-02-20' + (i * 30)::INT, 10 + i FROM range(1, 15) t(i);
CREATE TABLE chats (
  chat_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers, started_at TIMESTAMP, minutes INTEGER
);
INSERT INTO chats SELECT i, 1 + (i * i) % 17, TIMESTAMP '2024-03-01 08:00:00' + to_hours((i * 31)::INT), 3 + i % 11 FROM range(1, 61) t(i);
CREATE TABLE surveys (survey_id INTEGER PRIMARY KEY, ticket_id INTEGER NOT NULL REFERENCES tickets, rating INTEGER);
INSERT INTO surveys SELECT i, i * 2 + 1, 1 + (i * 7) % 5 FROM range(1, 56) t(i);
