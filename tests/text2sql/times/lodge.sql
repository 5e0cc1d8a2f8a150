-- A mountain lodge: stays booked long before they begin, courses, season passes that are cancelled, repairs promised for a day.
CREATE TABLE lodges (lodge_id INTEGER PRIMARY KEY, lodge_name VARCHAR, valley VARCHAR);
INSERT INTO lodges VALUES (1, 'Adlerhorst', 'Oetz'), (2, 'Bergblick', 'Stubai'), (3, 'Gamsalm', 'Oetz');
CREATE TABLE hikers (hiker_id INTEGER PRIMARY KEY, hiker_name VARCHAR, home_town VARCHAR);
INSERT INTO hikers SELECT n, 'Hiker ' || n, ['Graz', 'Linz', 'Wels'][1 + n % 3] FROM range(1, 13) t(n);
CREATE TABLE stays (stay_id INTEGER PRIMARY KEY, lodge_id INTEGER REFERENCES lodges(lodge_id),
  hiker_id INTEGER REFERENCES hikers(hiker_id), booked_on DATE, check_in DATE, check_out DATE, nights INTEGER,
  room_price DECIMAL(8, 2), channel VARCHAR, stay_status VARCHAR);
INSERT INTO stays SELECT n, 1 + n % 3, 1 + n % 11, DATE '2024-11-20' + (n * 11)::INTEGER, DATE '2024-12-15' + (n * 11 + n * 7 % 23)::INTEGER,
  DATE '2024-12-15' + (n * 11 + n * 7 % 23 + 1 + n % 4)::INTEGER, 1 + n % 4, 40 + n * 37 % 90, ['web', 'phone', 'agency'][1 + n % 3],
  CASE WHEN n % 5 = 0 THEN 'cancelled' WHEN n % 7 = 0 THEN 'open' ELSE 'settled' END FROM range(1, 41) t(n);
CREATE TABLE season_passes (pass_id INTEGER PRIMARY KEY, hiker_id INTEGER REFERENCES hikers(hiker_id), started_on DATE,
  ended_on DATE, status VARCHAR);
INSERT INTO season_passes SELECT n, 1 + n % 12, DATE '2024-02-01' + (n * 19)::INTEGER,
  CASE WHEN n % 3 = 0 THEN DATE '2024-02-01' + (n * 19 + 130)::INTEGER END, CASE WHEN n % 3 = 0 THEN 'cancelled' ELSE 'active' END
  FROM range(1, 31) t(n);
CREATE TABLE repairs (repair_id INTEGER PRIMARY KEY, lodge_id INTEGER REFERENCES lodges(lodge_id), ordered_on DATE,
  promised_on DATE, repair_cost DECIMAL(8, 2));
INSERT INTO repairs SELECT n, 1 + n % 3, DATE '2025-01-05' + (n * 13)::INTEGER, DATE '2025-01-05' + (n * 13 + 25)::INTEGER, 100 + n * 53 % 410
  FROM range(1, 25) t(n);
CREATE TABLE call_log (call_id INTEGER PRIMARY KEY, lodge_id INTEGER REFERENCES lodges(lodge_id), called_at TIMESTAMP, minutes INTEGER);
INSERT INTO call_log SELECT n, 1 + n % 3, TIMESTAMP '2025-06-01 09:00:00' + INTERVAL 1 DAY * (n * 3) + INTERVAL 1 HOUR * (n % 9), 1 + n * 7 % 20
  FROM range(1, 61) t(n);
