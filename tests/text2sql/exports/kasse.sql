-- A German cash book: amounts whose sign says where the money goes.
CREATE TABLE tbl_konten (kto_nr INTEGER PRIMARY KEY, bezeichnung VARCHAR, waehrung VARCHAR);
CREATE TABLE tbl_umsaetze (umsatz_id INTEGER PRIMARY KEY, kto_nr INTEGER, buchungsdatum DATE, betrag DOUBLE, zweck VARCHAR);
INSERT INTO tbl_konten VALUES (1, 'Haushalt', 'EUR'), (2, 'Reise', 'USD'), (3, 'Haus', 'EUR');
INSERT INTO tbl_umsaetze SELECT
    n, n % 3 + 1, DATE '2023-01-02' + CAST(n * 5 AS INTEGER), if(n % 4 = 0, 1, -1) * (10 + n * 17 % 90),
    ['Lohn', 'Miete', 'Essen', 'Strom'][n % 4 + 1]
FROM range(1, 141) t(n);
