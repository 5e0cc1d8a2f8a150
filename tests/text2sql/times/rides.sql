-- Dates kept as texts, month first, which as texts sort otherwise.
CREATE TABLE rides (ride_id INTEGER PRIMARY KEY, bike VARCHAR, started_at VARCHAR, minutes INTEGER);
INSERT INTO rides
SELECT n, 'Bike ' || n * 3 % 7, strftime(TIMESTAMP '2015-08-01 06:30:00' + INTERVAL (n * 37) HOUR, '%-m/%-d/%Y %-H:%M'), 5 + n * 11 % 47
FROM range(120) t(n);
