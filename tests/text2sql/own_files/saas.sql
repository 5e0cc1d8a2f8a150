CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR, signed_up_at TIMESTAMP, country VARCHAR, referral_source VARCHAR);
INSERT INTO users SELECT n, 'u' || CAST(n AS VARCHAR) || '@mail.com', TIMESTAMP '2023-01-01 10:00:00' + INTERVAL (n * 31) HOUR, ['US', 'DE', 'GB'][1 + n % 3], ['google', 'friend', 'ad'][1 + n // 2 % 3] FROM range(1, 121) AS rows(n);
CREATE TABLE subscriptions (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users (id), plan VARCHAR, mrr BIGINT, started_at TIMESTAMP, cancelled_at TIMESTAMP);
INSERT INTO subscriptions SELECT n, 1 + n * 7 % 119, ['starter', 'pro', 'team'][1 + n % 3], [19, 49, 149][1 + n % 3], TIMESTAMP '2023-06-10 09:00:00' + INTERVAL (n * 40) HOUR, CASE WHEN n % 4 = 0 THEN TIMESTAMP '2023-09-10 09:00:00' + INTERVAL (n * 44) HOUR END FROM range(1, 81) AS rows(n);
CREATE TABLE events (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users (id), name VARCHAR, occurred_at TIMESTAMP);
INSERT INTO events SELECT n, 1 + n * 11 % 113, ['login', 'export', 'login', 'invite'][1 + n % 4], TIMESTAMP '2023-03-01 08:00:00' + INTERVAL (n * 13) HOUR FROM range(1, 501) AS rows(n);
