CREATE TABLE schools (sid INTEGER PRIMARY KEY, school_name VARCHAR, town VARCHAR, founded INTEGER, budget_millions DOUBLE);
INSERT INTO schools SELECT
    n, ['Ashby', 'Birch', 'Cole', 'Dean'][n] || ' School', ['Ely', 'Bury', 'Ely', 'Diss'][n], 1900 + n * 17, 2.5 * n
FROM range(1, 5) t(n);
CREATE TABLE lecturers (
    lecturer_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, degree VARCHAR, rank VARCHAR,
    sid INTEGER REFERENCES schools (sid)
);
INSERT INTO lecturers SELECT
    n, ['Ann', 'Bob', 'Cem', 'Dora'][n % 4 + 1], ['Hill', 'Iver', 'Jones'][n % 3 + 1], ['Ph.D.', 'M.Sc.', 'Ph.D.'][n % 3 + 1],
    ['Professor', 'Instructor'][n % 2 + 1], n % 4 + 1
FROM range(1, 25) t(n);
CREATE TABLE modules (
    module_id INTEGER PRIMARY KEY, title VARCHAR, details VARCHAR, credits INTEGER,
    lecturer_id INTEGER REFERENCES lecturers (lecturer_id), first_taught DATE
);
INSERT INTO modules SELECT
    n, 'Module ' || n, 'About ' || n, 5 * (n % 4 + 1), n * 7 % 24 + 1, DATE '2019-09-01' + CAST(n * 31 AS INTEGER)
FROM range(1, 41) t(n);
