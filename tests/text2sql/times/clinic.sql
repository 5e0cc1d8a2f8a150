CREATE TABLE patients (patient_id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);
CREATE TABLE visits (
    visit_id INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patients (patient_id), ward VARCHAR, visit_date DATE,
    fee DOUBLE
);
INSERT INTO patients SELECT n, 'Patient ' || n, ['Bern', 'Chur', 'Genf'][n % 3 + 1] FROM range(1, 31) t(n);
INSERT INTO visits
SELECT n, n * n % 30 + 1, ['North', 'South'][n * 7 % 5 % 2 + 1], DATE '2021-01-04' + CAST(n * 5 + n % 3 AS INTEGER), 20 + n * 13 % 47
FROM range(220) t(n);
