CREATE TABLE clinics (clinic_id INTEGER PRIMARY KEY, clinic_name VARCHAR, town VARCHAR, chairs INTEGER, is_open BOOLEAN);
INSERT INTO clinics SELECT
    n, ['Abbey', 'Bridge', 'Castle', 'Dock', 'Elm'][n] || ' House', ['Ely', 'Bury', 'Diss', 'Ely', 'Ware'][n], 2 + n % 3, n <> 4
FROM range(1, 6) t(n);
CREATE TABLE dentists (
    dentist_id INTEGER PRIMARY KEY, full_name VARCHAR, base_clinic_id INTEGER REFERENCES clinics (clinic_id), hire_dt DATE,
    hourly_rate INTEGER, mentor_id INTEGER REFERENCES dentists (dentist_id)
);
CREATE MACRO dentists_of(low, high) AS TABLE SELECT
    n, ['Ann Ash', 'Bob Bell', 'Cara Coe', 'Dan Dee', 'Eva Eck', 'Fay Fox', 'Gil Gee', 'Hal Hay'][n], n % 5 + 1,
    DATE '2019-01-15' + CAST(n * 211 AS INTEGER), 40 + (n * 7) % 11, CASE WHEN n > 2 THEN [1, 1, 1, 3, 3, 2][n - 2] END
FROM range(low, high) t(n);
INSERT INTO dentists FROM dentists_of(1, 3);
INSERT INTO dentists FROM dentists_of(3, 6);
INSERT INTO dentists FROM dentists_of(6, 9);
CREATE TABLE patients (
    patient_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, town VARCHAR, birth_dt DATE,
    home_clinic_id INTEGER REFERENCES clinics (clinic_id), insurer VARCHAR,
    referred_by INTEGER REFERENCES patients (patient_id)
);
CREATE MACRO patients_of(low, high) AS TABLE SELECT
    n, ['Ida', 'Jon', 'Kim', 'Leo', 'Mia', 'Ned', 'Oda', 'Pia'][n % 8 + 1], ['Roe', 'Say', 'Tye', 'Urn', 'Vim'][n % 5 + 1],
    ['Ely', 'Bury', 'Diss', 'Ware'][n % 4 + 1], DATE '1950-03-03' + CAST((n * 577) % 20000 AS INTEGER), n % 5 + 1,
    ['Denplan', 'Bupa', NULL][n % 3 + 1], CASE WHEN n > 8 AND n % 3 = 0 THEN [1, 2, 1, 4, 2, 1, 5, 1, 6][(n // 3) % 9 + 1] END
FROM range(low, high) t(n);
INSERT INTO patients FROM patients_of(1, 9);
INSERT INTO patients FROM patients_of(9, 41);
CREATE TABLE visits (
    visit_id INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patients (patient_id),
    dentist_id INTEGER REFERENCES dentists (dentist_id), clinic_id INTEGER REFERENCES clinics (clinic_id), booked_dt DATE,
    sched_at TIMESTAMP, minutes INTEGER, stat_cd VARCHAR
);
INSERT INTO visits SELECT
    n, CASE WHEN n % 17 = 0 THEN 3 ELSE (n * 7) % 36 + 1 END, (n * n) % 8 + 1, (n * 3 + n // 7) % 5 + 1,
    DATE '2023-02-01' + CAST(n * 4 - n % 5 AS INTEGER),
    TIMESTAMP '2023-02-09 08:00:00' + to_days(CAST(n * 4 AS INTEGER)) + to_hours(CAST(n % 10 AS INTEGER)), 20 + (n * 13) % 70,
    ['COMP', 'COMP', 'NOSHOW', 'COMP', 'CANC'][n % 5 + 1]
FROM range(1, 201) t(n);
CREATE TABLE bills (
    bill_id INTEGER PRIMARY KEY, visit_id INTEGER REFERENCES visits (visit_id), patient_id INTEGER REFERENCES patients (patient_id),
    billed_on DATE, due_on DATE, paid_on DATE, tot_amt DECIMAL(9, 2), ins_amt DECIMAL(9, 2), pat_amt DECIMAL(9, 2)
);
INSERT INTO bills SELECT
    visit_id, visit_id, patient_id, CAST(sched_at AS DATE) + 2, CAST(sched_at AS DATE) + 32,
    CASE WHEN visit_id % 6 THEN CAST(sched_at AS DATE) + 12 + CAST((visit_id * 11) % 40 AS INTEGER) END,
    40 + (visit_id * 37) % 260, ((visit_id * 37) % 260) / 4, 40 + (visit_id * 37) % 260 - ((visit_id * 37) % 260) / 4
FROM visits WHERE stat_cd = 'COMP';
