CREATE TABLE members (member_id INTEGER PRIMARY KEY, name VARCHAR, join_date DATE, plan VARCHAR, monthly_fee DOUBLE, cancelled_on DATE, birth_year INTEGER);
INSERT INTO members SELECT n, 'Member ' || CAST(n AS VARCHAR), DATE '2022-01-03' + CAST(n * 11 AS INTEGER), ['Basic', 'Plus', 'Premium'][1 + n % 3], [19.9, 29.9, 49.9][1 + n % 3],
  CASE WHEN n % 4 = 0 THEN DATE '2023-06-01' + CAST(n * 5 AS INTEGER) END, 1950 + n * 7 % 55 FROM range(1, 61) AS rows(n);
CREATE TABLE checkins (checkin_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members (member_id), checked_in_at TIMESTAMP, checked_out_at TIMESTAMP, location VARCHAR);
INSERT INTO checkins SELECT n, 1 + n * 7 % 58, TIMESTAMP '2023-09-01 07:10:00' + INTERVAL (n * 17) HOUR, TIMESTAMP '2023-09-01 08:20:00' + INTERVAL (n * 17 * 60 + n % 40) MINUTE,
  CASE WHEN (1 + n * 7 % 58) % 9 = 0 THEN 'North' WHEN (1 + n * 7 % 58) % 9 = 1 THEN 'City' WHEN n % 3 = 0 THEN 'North' ELSE 'City' END FROM range(1, 401) AS rows(n);
