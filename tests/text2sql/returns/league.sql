-- A league: seasons that are called after two years, clubs, matches, invoices for tickets sold to clubs' sponsors.
CREATE TABLE season (season_id INTEGER PRIMARY KEY, season_name VARCHAR, starts_on DATE, ends_on DATE);
CREATE TABLE club (club_id INTEGER PRIMARY KEY, club_name VARCHAR, division VARCHAR, founded_on DATE);
CREATE TABLE game (game_id INTEGER PRIMARY KEY, season_id INTEGER REFERENCES season (season_id), home_club_id INTEGER REFERENCES club (club_id), played_on DATE, crowd INTEGER);
CREATE TABLE invoice (invoice_id INTEGER PRIMARY KEY, club_id INTEGER REFERENCES club (club_id), issued_on DATE, paid_on DATE, fees_amount DECIMAL(8,2), meals_amount DECIMAL(8,2), total_due DECIMAL(8,2), status VARCHAR);
INSERT INTO season VALUES (1, '2023/24', DATE '2023-08-01', DATE '2024-05-31'), (2, '2024/25', DATE '2024-08-01', DATE '2025-05-31');
INSERT INTO club SELECT i, 'Club ' || chr((64 + i)::INTEGER), CASE WHEN i % 2 = 0 THEN 'North' ELSE 'South' END, DATE '2019-03-01' + CAST(70 * i AS INTEGER) FROM range(1, 9) t(i);
INSERT INTO game SELECT i, 1 + i % 2, 1 + i % 8, CASE WHEN i % 2 = 0 THEN DATE '2023-08-05' ELSE DATE '2024-08-05' END + CAST(3 * i AS INTEGER), 900 + 37 * (i % 11) FROM range(1, 81) t(i);
INSERT INTO invoice SELECT i, 1 + i % 8, DATE '2024-01-15' + CAST(10 * i AS INTEGER), CASE WHEN i % 6 <> 0 THEN DATE '2024-02-01' + CAST(10 * i AS INTEGER) END, 100 + i, 20, 120 + i, CASE WHEN i % 9 = 0 THEN 'void' ELSE 'sent' END FROM range(1, 71) t(i);
