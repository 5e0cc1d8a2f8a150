-- An animal surgery: admissions by codes of two letters, work that is billable or not, rates by the hour.
CREATE TABLE vets (vet_id INTEGER PRIMARY KEY, vet_name VARCHAR NOT NULL, grade VARCHAR NOT NULL, office VARCHAR NOT NULL, std_rate_eur_hr INTEGER NOT NULL);
INSERT INTO vets VALUES (1, 'Ada Lund', 'Partner', 'Leeds', 180), (2, 'Ben Ott', 'Senior', 'Leeds', 140), (3, 'Cia Roy', 'Junior', 'York', 90),
  (4, 'Dov Katz', 'Senior', 'York', 150);
CREATE TABLE stays (stay_id INTEGER PRIMARY KEY, vet_id INTEGER NOT NULL REFERENCES vets (vet_id), stay_type_cd VARCHAR NOT NULL,
  opened_on DATE NOT NULL, closed_on DATE, duration_min INTEGER NOT NULL, cost_eur INTEGER NOT NULL);
INSERT INTO stays VALUES (1, 1, 'EM', '2023-02-01', '2023-02-03', 90, 400), (2, 1, 'EL', '2023-03-01', NULL, 45, 250), (3, 2, 'EM', '2023-03-05', '2023-03-06', 30, 120),
  (4, 3, 'EL', '2024-01-10', '2024-01-12', 120, 800), (5, 2, 'EM', '2024-02-10', NULL, 60, 330), (6, 4, 'EL', '2024-05-10', '2024-05-11', 15, 90);
CREATE TABLE work_entries (entry_id INTEGER PRIMARY KEY, vet_id INTEGER NOT NULL REFERENCES vets (vet_id), work_date DATE NOT NULL, hours DOUBLE NOT NULL, is_billable VARCHAR NOT NULL);
INSERT INTO work_entries VALUES (1, 1, '2024-01-03', 2.5, 'Y'), (2, 1, '2024-01-09', 1.0, 'N'), (3, 2, '2024-02-03', 4.0, 'Y'), (4, 3, '2024-02-20', 3.5, 'N'),
  (5, 4, '2024-03-03', 6.0, 'Y'), (6, 2, '2023-03-03', 5.0, 'Y');
