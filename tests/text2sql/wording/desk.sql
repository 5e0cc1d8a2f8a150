CREATE TABLE reps (rep_id INTEGER PRIMARY KEY, rep_name TEXT, team TEXT, hired_on DATE, left_on DATE);
INSERT INTO reps VALUES (1, 'Mara Quist', 'Mid-market', '2021-03-01', NULL), (2, 'Theo Brandt', 'Mid-market', '2022-06-15', NULL),
  (3, 'Ines Falk', 'Enterprise', '2020-01-10', NULL), (4, 'Joel Sand', 'Enterprise', '2021-09-01', '2025-02-28'),
  (5, 'Petra Wolny', 'Small business', '2023-04-01', NULL);
CREATE TABLE plans (plan_id INTEGER PRIMARY KEY, plan_name TEXT, monthly_price DECIMAL(8, 2), max_seats INTEGER, is_active BOOLEAN);
INSERT INTO plans VALUES (1, 'Starter', 29, 3, true), (2, 'Team', 99, 15, true), (3, 'Business', 249, 60, true), (4, 'Legacy', 19, 5, false);
CREATE TABLE accounts (account_id INTEGER PRIMARY KEY, company TEXT, country TEXT, industry TEXT, source TEXT, signed_up_on DATE,
  rep_id INTEGER REFERENCES reps);
INSERT INTO accounts SELECT i, ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Ginkgo', 'Hazel', 'Ivy', 'Juniper', 'Kapok', 'Larch'][1 + i % 12]
  || ' ' || ['Works', 'Foods', 'Logistics', 'Clinics', 'Studio'][1 + i // 12],
  ['Germany', 'France', 'Spain', 'Germany', 'Poland', 'Germany', 'France'][1 + i % 7],
  ['Retail', 'Health', 'Software', 'Retail', 'Transport'][1 + (i * 3) % 5],
  ['Website', 'Referral', 'Website', 'Trade fair', NULL, 'Cold call', 'Website', 'Referral'][1 + (i * 5) % 8],
  DATE '2023-01-09' + (i * i * 11 + i * 37) % 975, 1 + (i * 7 + i // 9) % 5
  FROM (SELECT CAST(n AS INTEGER) AS i FROM range(1, 60) t(n));
CREATE TABLE subscriptions (subscription_id INTEGER PRIMARY KEY, account_id INTEGER REFERENCES accounts, plan_id INTEGER REFERENCES plans,
  seats INTEGER, started_on DATE, cancelled_on DATE, cancel_reason TEXT);
INSERT INTO subscriptions SELECT row_number() OVER (ORDER BY account_id), account_id, 1 + (account_id * 5) % 4, 1 + (account_id * 13) % 40,
  signed_up_on + (account_id * 3) % 21, CASE WHEN account_id % 3 = 1 AND signed_up_on < '2025-03-01' THEN signed_up_on + 60 + (account_id * 17) % 130 END,
  CASE WHEN account_id % 3 = 1 AND signed_up_on < '2025-03-01' THEN ['Too expensive', 'Missing features', 'Too expensive', 'Unknown', 'Went out of business'][1 + account_id % 5] END
  FROM accounts WHERE account_id % 9 <> 0;
CREATE TABLE mrr_events (event_id INTEGER PRIMARY KEY, account_id INTEGER REFERENCES accounts, event_date DATE, kind TEXT, mrr_change DECIMAL(8, 2));
INSERT INTO mrr_events SELECT row_number() OVER (ORDER BY d, a, k), a, d, k, m FROM (
  SELECT account_id a, started_on d, 'new' k, monthly_price m FROM subscriptions JOIN plans USING (plan_id)
  UNION ALL SELECT account_id, started_on + 95, 'expansion', 40 + (account_id * 7) % 90 FROM subscriptions WHERE account_id % 3 = 0 AND started_on < '2025-06-01'
  UNION ALL SELECT account_id, started_on + 45, 'contraction', -10 FROM subscriptions WHERE account_id % 7 = 2 AND started_on < '2025-07-15'
  UNION ALL SELECT account_id, cancelled_on, 'churn', -monthly_price FROM subscriptions JOIN plans USING (plan_id) WHERE cancelled_on IS NOT NULL);
CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, account_id INTEGER REFERENCES accounts, opened_at TIMESTAMP, closed_at TIMESTAMP, priority TEXT,
  channel TEXT, csat INTEGER);
INSERT INTO tickets SELECT i, 1 + (i * 17 + i // 5) % 53, o, CASE WHEN i % 11 <> 4 THEN o + to_minutes(25 + (i * 131) % 5200) END,
  ['normal', 'urgent', 'normal', 'low', 'normal'][1 + (i * 2) % 5], ['Email', 'Chat', 'Phone', 'Email', 'Chat', 'Email', 'Phone'][1 + i % 7],
  CASE WHEN i % 11 <> 4 AND i % 3 <> 0 THEN 1 + (i * 7 + i // 5) % 5 END
  FROM (SELECT i, TIMESTAMP '2023-09-04 06:20:00' + to_minutes(((i * 3467) % 1070000)) o FROM (SELECT CAST(n AS INTEGER) AS i FROM range(1, 311) t(n))) WHERE o < '2025-09-18';
