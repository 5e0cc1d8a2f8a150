CREATE TABLE employees (
    emp_num INTEGER PRIMARY KEY, FName VARCHAR, LName VARCHAR, date_of_birth DATE
);
INSERT INTO employees SELECT
    n, ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva'][n % 5 + 1], 'Family ' || n, DATE '1960-03-01' + CAST(n * 200 AS INTEGER)
FROM range(1, 21) t(n);
CREATE TABLE departments (
    dept_code VARCHAR PRIMARY KEY, dept_name VARCHAR, emp_num INTEGER REFERENCES employees (emp_num)
);
INSERT INTO departments VALUES ('BIO', 'Biology', 18), ('HIS', 'History', 19), ('MAT', 'Mathematics', 20);
CREATE TABLE professors (
    emp_num INTEGER PRIMARY KEY REFERENCES employees (emp_num), dept_code VARCHAR REFERENCES departments (dept_code),
    office VARCHAR, highest_degree VARCHAR
);
INSERT INTO professors SELECT
    n, ['BIO', 'HIS', 'MAT'][n % 3 + 1], 'Room ' || n, ['Ph.D.', 'M.Sc.'][n % 2 + 1]
FROM range(1, 16) t(n);
CREATE TABLE courses (
    course_id INTEGER PRIMARY KEY, title VARCHAR, credits INTEGER, hours INTEGER, prof_num INTEGER REFERENCES employees (emp_num)
);
INSERT INTO courses SELECT n, 'Course ' || n, n % 4 + 1, n % 5 + 1, n % 10 + 1 FROM range(1, 31) t(n);
CREATE TABLE pupils (
    stu_num INTEGER PRIMARY KEY, FName VARCHAR, LName VARCHAR, gpa DOUBLE, date_of_birth DATE, town VARCHAR
);
INSERT INTO pupils SELECT
    n, ['Finn', 'Gro', 'Hal'][n % 3 + 1], 'Name ' || n, 2 + n % 7 / 4.0, DATE '2001-01-01' + CAST(n * 37 % 900 AS INTEGER),
    ['Ely', 'Bury', 'Diss'][n % 3 + 1]
FROM range(1, 41) t(n);
CREATE TABLE grades (stu_num INTEGER REFERENCES pupils (stu_num), course_id INTEGER REFERENCES courses (course_id), gradepoint DOUBLE);
INSERT INTO grades SELECT n % 40 + 1, n * 7 % 30 + 1, n % 5 FROM range(1, 101) t(n);
CREATE TABLE ballots (
    ballot_id INTEGER PRIMARY KEY, president_vote INTEGER REFERENCES pupils (stu_num),
    class_president_vote INTEGER REFERENCES pupils (stu_num), treasurer_vote INTEGER REFERENCES pupils (stu_num)
);
INSERT INTO ballots SELECT n, n % 3 + 1, n % 4 + 7, n % 5 + 20 FROM range(1, 31) t(n);
