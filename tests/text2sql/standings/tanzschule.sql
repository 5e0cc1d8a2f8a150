CREATE TABLE standort (standort_nr INTEGER PRIMARY KEY, standort_name VARCHAR, ort VARCHAR);
INSERT INTO standort VALUES (1, 'Altes Theater', 'Celle'), (2, 'Ratshof', 'Peine');
CREATE TABLE tanzlehrer (lehrer_nr INTEGER PRIMARY KEY, vorname VARCHAR, nachname VARCHAR, standort_nr INTEGER REFERENCES standort (standort_nr), eingestellt_am DATE, ausgetreten_am DATE);
INSERT INTO tanzlehrer VALUES (1, 'Ada', 'Blum', 1, '2018-01-01', NULL), (2, 'Bert', 'Cohn', 2, '2019-06-01', '2023-07-31'), (3, 'Cora', 'Dorn', 2, '2020-02-01', NULL);
CREATE TABLE tanzschueler (schueler_nr INTEGER PRIMARY KEY, vorname VARCHAR, nachname VARCHAR, standort_nr INTEGER REFERENCES standort (standort_nr), anm_dat DATE);
INSERT INTO tanzschueler SELECT n, 'V' || n, 'N' || n, n % 2 + 1, DATE '2023-01-15' + CAST(n * 23 AS INTEGER) FROM range(1, 31) t(n);
CREATE TABLE stundenart (art_cd VARCHAR PRIMARY KEY, bez VARCHAR);
INSERT INTO stundenart VALUES ('G', 'Gruppe'), ('E', 'Einzel');
CREATE TABLE tanzstunde (
  stunde_nr INTEGER PRIMARY KEY, schueler_nr INTEGER REFERENCES tanzschueler (schueler_nr), lehrer_nr INTEGER REFERENCES tanzlehrer (lehrer_nr),
  art_cd VARCHAR REFERENCES stundenart (art_cd), beginn TIMESTAMP, betrag DOUBLE
);
INSERT INTO tanzstunde SELECT n, n % 25 + 1, n % 3 + 1, ['G', 'E', 'G'][n % 3 + 1], TIMESTAMP '2023-03-01 17:00' + n * INTERVAL 53 HOUR, 20 + n % 5 FROM range(1, 121) t(n);
CREATE TABLE pruefungsergebnis (erg_cd VARCHAR PRIMARY KEY, bez VARCHAR);
INSERT INTO pruefungsergebnis VALUES ('B', 'bestanden'), ('N', 'nicht bestanden');
CREATE TABLE pruefung (pruefung_nr INTEGER PRIMARY KEY, schueler_nr INTEGER REFERENCES tanzschueler (schueler_nr), pruefung_dat DATE, erg_cd VARCHAR REFERENCES pruefungsergebnis (erg_cd));
INSERT INTO pruefung SELECT n, n % 20 + 1, DATE '2023-05-01' + CAST(n * 11 AS INTEGER), CASE WHEN n % 3 = 0 THEN 'N' ELSE 'B' END FROM range(1, 51) t(n);
