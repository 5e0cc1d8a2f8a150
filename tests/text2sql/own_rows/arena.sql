CREATE TABLE clan (clan_id INTEGER PRIMARY KEY, clan_name VARCHAR, region VARCHAR, trophies INTEGER);
CREATE TABLE player (player_id INTEGER PRIMARY KEY, nickname VARCHAR, device VARCHAR, joined_on DATE, skill INTEGER, clan_id INTEGER REFERENCES clan, intro_completed_on DATE);
CREATE TABLE game_session (session_id INTEGER PRIMARY KEY, player_id INTEGER REFERENCES player, started_at TIMESTAMP);
CREATE TABLE purchase (purchase_id INTEGER PRIMARY KEY, player_id INTEGER REFERENCES player, shop VARCHAR, status VARCHAR, bought_at TIMESTAMP, amount DECIMAL(8, 2));
CREATE TABLE match (match_id INTEGER PRIMARY KEY, map VARCHAR, is_ranked BOOLEAN, started_at TIMESTAMP);
CREATE TABLE entry (entry_id INTEGER PRIMARY KEY, match_id INTEGER REFERENCES match, player_id INTEGER REFERENCES player, hero VARCHAR, result VARCHAR);
INSERT INTO clan VALUES (1, 'Owls', 'North', 900), (2, 'Foxes', 'South', 700), (3, 'Newts', 'North', 100);
INSERT INTO player
SELECT n, 'nick' || n, ['phone', 'console', 'pc'][1 + n % 3], DATE '2024-01-10' + 9 * CAST(n AS INTEGER), n % 13,
    CASE WHEN n % 4 < 2 THEN 1 + n % 2 END, CASE WHEN n % 3 > 0 THEN DATE '2024-02-10' + 9 * CAST(n AS INTEGER) END
FROM range(1, 41) AS numbers(n);
INSERT INTO game_session
SELECT n, 1 + n % 30, TIMESTAMP '2024-03-01 10:00:00' + INTERVAL (n * 37) HOUR FROM range(1, 181) AS numbers(n);
INSERT INTO purchase
SELECT n, 1 + n % 11, ['Steam', 'Web'][1 + n % 2], CASE WHEN n % 5 = 0 THEN 'refunded' ELSE 'completed' END,
    TIMESTAMP '2024-04-01 09:00:00' + INTERVAL (n * 50) HOUR, 3 + n % 7
FROM range(1, 71) AS numbers(n);
INSERT INTO match
SELECT n, ['Harbor', 'Dojo'][1 + n % 2], n % 3 > 0, TIMESTAMP '2024-03-02 18:00:00' + INTERVAL (n * 60) HOUR
FROM range(1, 61) AS numbers(n);
INSERT INTO entry
SELECT n, 1 + n % 60, 1 + n % 23, ['Bram', 'Juno', 'Kira'][1 + n % 3],
    CASE WHEN n % 23 < 4 THEN 'loss' WHEN n % 7 = 0 THEN 'void' WHEN n % 2 = 0 THEN 'win' ELSE 'loss' END
FROM range(1, 301) AS numbers(n);
