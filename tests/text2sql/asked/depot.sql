-- A depot repairs and rents out machines: jobs with what was used and who worked on them, loans, complaints.
CREATE TABLE clients (client_id INTEGER PRIMARY KEY, client_name VARCHAR NOT NULL, country VARCHAR NOT NULL, joined_on DATE NOT NULL);
INSERT INTO clients VALUES (1, 'Arvo', 'Spain', '2022-03-01'), (2, 'Brio', 'Spain', '2023-05-02'), (3, 'Cato', 'Italy', '2023-06-03'), (4, 'Dino', 'Italy', '2024-07-04');
CREATE TABLE mechanics (mechanic_id INTEGER PRIMARY KEY, mechanic_name VARCHAR NOT NULL, hired_on DATE NOT NULL, left_on DATE);
INSERT INTO mechanics VALUES (1, 'Ute', '2020-01-01', NULL), (2, 'Max', '2023-02-01', '2025-03-01'), (3, 'Lea', '2023-04-01', NULL), (4, 'Jan', '2024-01-10', '2025-06-01');
CREATE TABLE vehicles (vehicle_id INTEGER PRIMARY KEY, mode VARCHAR NOT NULL);
INSERT INTO vehicles VALUES (1, 'truck'), (2, 'van');
CREATE TABLE fee_groups (fee_group_id INTEGER PRIMARY KEY, title VARCHAR NOT NULL);
INSERT INTO fee_groups VALUES (1, 'transport'), (2, 'customs'), (3, 'late pickup');
CREATE TABLE jobs (job_id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients (client_id), job_type VARCHAR NOT NULL, mode VARCHAR NOT NULL,
  opened_at TIMESTAMP NOT NULL, due_date DATE NOT NULL, finished_at TIMESTAMP, status VARCHAR NOT NULL, cancel_reason VARCHAR);
INSERT INTO jobs VALUES (1, 1, 'repair', 'road', '2025-01-03 08:00', '2025-01-10', '2025-01-10 15:00', 'closed', NULL),
  (2, 1, 'repair', 'sea', '2025-02-03 09:00', '2025-02-10', '2025-02-12 10:00', 'closed', NULL), (3, 2, 'upgrade', 'road', '2025-03-03 10:00', '2025-03-20', '2025-03-11 12:00', 'closed', NULL),
  (4, 2, 'repair', 'road', '2025-04-03 11:00', '2025-04-10', NULL, 'cancelled', 'bad weather'), (5, 3, 'repair', 'sea', '2024-05-03 11:00', '2024-05-10', '2024-05-19 09:00', 'closed', NULL),
  (6, 1, 'upgrade', 'sea', '2024-06-03 11:00', '2024-06-10', NULL, 'cancelled', 'no spares');
CREATE TABLE job_parts (job_part_id INTEGER PRIMARY KEY, job_id INTEGER NOT NULL REFERENCES jobs (job_id), part_name VARCHAR NOT NULL, quantity INTEGER NOT NULL, unit_cost DOUBLE NOT NULL);
INSERT INTO job_parts VALUES (1, 1, 'belt', 2, 10.0), (2, 1, 'bolt', 10, 0.5), (3, 2, 'belt', 1, 11.0), (4, 3, 'pump', 1, 90.0), (5, 5, 'bolt', 4, 0.5);
CREATE TABLE job_hours (job_hour_id INTEGER PRIMARY KEY, job_id INTEGER NOT NULL REFERENCES jobs (job_id), mechanic_id INTEGER NOT NULL REFERENCES mechanics (mechanic_id), hours DOUBLE NOT NULL);
INSERT INTO job_hours VALUES (1, 1, 1, 2.0), (2, 1, 2, 3.0), (3, 2, 1, 4.0), (4, 3, 3, 1.0), (5, 3, 1, 1.5), (6, 5, 2, 6.0);
CREATE TABLE loans (loan_id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients (client_id), lent_on DATE NOT NULL, returned_on DATE, damage VARCHAR, fee DOUBLE NOT NULL, fee_group_id INTEGER NOT NULL REFERENCES fee_groups (fee_group_id));
INSERT INTO loans VALUES (1, 1, '2025-01-05', '2025-01-09', NULL, 40, 1), (2, 1, '2025-02-05', '2025-02-09', 'bent', 45, 1), (3, 2, '2025-02-15', '2025-02-19', NULL, 50, 2),
  (4, 3, '2024-03-05', NULL, NULL, 55, 2), (5, 3, '2024-04-05', '2024-04-09', 'rusty', 60, 3), (6, 3, '2024-06-05', '2024-06-15', NULL, 65, 1);
CREATE TABLE complaints (complaint_id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients (client_id), filed_on DATE NOT NULL, state VARCHAR NOT NULL);
INSERT INTO complaints VALUES (1, 1, '2025-01-20', 'rejected'), (2, 2, '2025-03-20', 'settled'), (3, 2, '2024-03-21', 'rejected'), (4, 1, '2025-06-20', 'settled');
