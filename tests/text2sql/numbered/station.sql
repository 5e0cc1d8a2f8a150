-- A weather club: what its sensors read and its members write, at seconds or milliseconds since 1970.
CREATE TABLE members (member_id INTEGER PRIMARY KEY, nick VARCHAR, phone BIGINT);
INSERT INTO members SELECT i, ['Ada','Ben','Cleo','Dan','Eva','Finn'][i], 1700000000 + i FROM range(1, 7) t(i);
CREATE TABLE posts (post_id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES members (member_id), channel VARCHAR, likes INTEGER, created_utc BIGINT);
INSERT INTO posts SELECT i, 1 + (i * 3) % 5, ['wind','rain','snow'][1 + i % 3], (i * 7) % 23, epoch(TIMESTAMP '2023-03-01 06:30:00' + INTERVAL (i * 77) HOUR)::BIGINT FROM range(1, 121) t(i);
CREATE TABLE soundings (sounding_id INTEGER PRIMARY KEY, site VARCHAR, altitude INTEGER, started_at BIGINT, landed_at BIGINT);
INSERT INTO soundings SELECT i, ['North','South'][1 + i % 2], 1000 * (5 + i % 20), epoch_ms(s), epoch_ms(s + INTERVAL (90 + i % 45) MINUTE) FROM (SELECT i, TIMESTAMP '2024-01-05 11:00:00' + INTERVAL (i * 50) HOUR AS s FROM range(1, 61) t(i));
