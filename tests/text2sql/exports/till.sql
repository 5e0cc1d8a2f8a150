-- A farm shop's cash journal, whose amounts another column tells the way of, and what was picked for it.
CREATE TABLE cash_journal (
    line INTEGER PRIMARY KEY, entry_date DATE, account_no INTEGER, account VARCHAR, direction VARCHAR, amount DOUBLE,
    site VARCHAR
);
INSERT INTO cash_journal SELECT
    n, DATE '2023-01-02' + CAST(n * 3 AS INTEGER), 400 + n % 5,
    ['Shop income', 'Heating', 'Payroll', 'Insurance', 'Cleaning'][n % 5 + 1], if(n % 5 = 0, 'in', 'out'),
    12 + n * 37 % 410, ['North', 'South'][n % 2 + 1]
FROM range(1, 301) t(n);
CREATE TABLE parcels (parcel_no INTEGER PRIMARY KEY, parcel_name VARCHAR, village VARCHAR);
CREATE TABLE harvests (
    harvest_no INTEGER PRIMARY KEY, picked_on DATE, parcel_no INTEGER REFERENCES parcels (parcel_no), kg DOUBLE
);
INSERT INTO parcels SELECT n, 'Field ' || n, ['Lauf', 'Rieden'][n % 2 + 1] FROM range(1, 9) t(n);
INSERT INTO harvests SELECT n, DATE '2023-06-01' + CAST(n * 9 AS INTEGER), n % 7 + 1, 20 + n * 13 % 90
FROM range(1, 91) t(n);
