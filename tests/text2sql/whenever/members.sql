CREATE TABLE tariffs (tariff_id INTEGER PRIMARY KEY, tariff VARCHAR);
INSERT INTO tariffs VALUES (1, 'Solo'), (2, 'Crew');
CREATE TABLE subscriptions (subscription_id INTEGER PRIMARY KEY, tariff_id INTEGER REFERENCES tariffs, started_on DATE, ended_on DATE, mrr DECIMAL(8, 2));
INSERT INTO subscriptions VALUES (1, 1, '2024-01-10', NULL, 20), (2, 2, '2024-02-01', '2024-04-15', 90), (3, 1, '2024-03-05', '2024-05-31', 20), (4, 2, '2024-05-20', NULL, 95), (5, 1, '2024-06-02', NULL, 25);
CREATE TABLE jobs (job_id INTEGER PRIMARY KEY, reported_at TIMESTAMP, started_at TIMESTAMP, finished_at TIMESTAMP, price DECIMAL(8, 2));
INSERT INTO jobs VALUES (1, '2024-04-02 09:00', '2024-05-03 09:00', '2024-05-04 12:00', 110), (2, '2024-04-20 10:00', '2024-04-21 09:00', '2024-05-02 12:00', 70), (3, '2024-05-11 08:00', '2024-06-01 08:00', NULL, 90), (4, '2024-06-10 09:00', '2024-06-11 09:00', '2024-06-12 09:00', 60), (5, '2024-06-29 15:00', NULL, NULL, 80);
CREATE TABLE job_targets (month DATE PRIMARY KEY, target_jobs INTEGER);
INSERT INTO job_targets SELECT CAST(month AS DATE), 3 + month(month) FROM generate_series(DATE '2024-01-01', DATE '2024-12-01', INTERVAL 1 MONTH) AS listed(month);
