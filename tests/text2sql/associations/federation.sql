-- A federation: clubs, players, their membership of a season, what was paid for it.
CREATE TABLE clubs (id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR);
CREATE TABLE players (id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, rating INTEGER);
CREATE TABLE memberships (id INTEGER PRIMARY KEY, player_id INTEGER REFERENCES players (id), club_id INTEGER REFERENCES clubs (id), season INTEGER, joined_on DATE);
CREATE TABLE fees (id INTEGER PRIMARY KEY, membership_id INTEGER REFERENCES memberships (id), amount DECIMAL(8,2), due_on DATE, paid_on DATE);
INSERT INTO clubs SELECT i, ['Rooks','Bishops','Knights','Queens','Kings'][i], ['Cork','Galway','Sligo','Cork','Tralee'][i] FROM range(1, 6) t(i);
INSERT INTO players SELECT i, 'Given' || i, 'Family' || i, 1200 + 17 * i FROM range(1, 41) t(i);
INSERT INTO memberships SELECT i, 1 + i % 40, 1 + (i * i) % 5, 2023 + i % 3, make_date((2022 + i % 3)::INTEGER, (1 + i % 12)::INTEGER, 3) FROM range(1, 101) t(i);
INSERT INTO fees SELECT i, i, 20 + i % 13, DATE '2024-01-15' + CAST(6 * i AS INTEGER), CASE WHEN i % 4 <> 0 THEN DATE '2024-01-20' + CAST(6 * i AS INTEGER) END FROM range(1, 101) t(i);
