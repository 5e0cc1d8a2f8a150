CREATE TABLE clubs (club_id INTEGER PRIMARY KEY, club_name TEXT, river TEXT, captain_id INTEGER);
INSERT INTO clubs VALUES (1, 'Otter', 'Cam', 2), (2, 'Heron', 'Ouse', 4), (3, 'Pike', 'Cam', NULL);
CREATE TABLE rowers (rower_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, club_id INTEGER REFERENCES clubs,
  hourly_rate DECIMAL(6, 2), insured_no TEXT, level TEXT, mentor_id INTEGER REFERENCES rowers);
INSERT INTO rowers VALUES
  (2, 'Bo', 'Crane', 1, 35.00, NULL, 'expert', NULL);
INSERT INTO rowers VALUES (4, 'Dot', 'Eder', 2, NULL, 'L4', 'expert', 2);
INSERT INTO rowers VALUES
  (1, 'Ada', 'Blom', 1, 20.00, 'L1', 'novice', 2), (3, 'Cas', 'Abel', 2, 20.00, 'L3', 'novice', 4),
  (5, 'Eve', 'Dahl', 2, 35.00, NULL, 'novice', 4);
CREATE TABLE outings (outing_id INTEGER PRIMARY KEY, rower_id INTEGER REFERENCES rowers, rowed_on DATE, km INTEGER,
  status TEXT, season INTEGER);
INSERT INTO outings VALUES
  (1, 1, '2024-03-01', 8, 'done', 2024), (2, 1, '2024-04-01', 12, 'done', 2024), (3, 1, '2025-04-02', 5, 'aborted', 2025),
  (4, 2, '2025-05-01', 20, 'done', 2025), (5, 3, '2024-06-01', 7, 'aborted', 2024), (6, 3, '2025-06-03', 9, 'done', 2025),
  (7, 3, '2025-06-09', 11, 'done', 2025), (8, 2, '2025-07-01', 6, 'done', 2025), (9, 3, '2025-08-01', 4, 'done', 2025);
