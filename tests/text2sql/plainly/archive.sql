CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, staff_name VARCHAR);
INSERT INTO staff SELECT n, ['Ada', 'Ben', 'Cleo', 'Dov', 'Eve'][n] || ' Rush' FROM range(1, 6) t(n);
CREATE TABLE papers (paper_id INTEGER PRIMARY KEY, paper_title VARCHAR, created_year VARCHAR);
INSERT INTO papers SELECT n, 'Paper ' || n, ['1903', '1911', '1903', '1950'][n % 4 + 1] FROM range(1, 15) t(n);
CREATE TABLE papers_to_be_destroyed (
    paper_id INTEGER PRIMARY KEY REFERENCES papers (paper_id),
    destruction_authorised_by_staff_id INTEGER REFERENCES staff (staff_id),
    destroyed_by_staff_id INTEGER REFERENCES staff (staff_id)
);
INSERT INTO papers_to_be_destroyed SELECT n, n % 2 + 1, n % 3 + 3 FROM range(1, 9) t(n);
CREATE TABLE wares (ware_id INTEGER PRIMARY KEY, ware_name VARCHAR, price_in_dollars DOUBLE, price_in_euros DOUBLE);
INSERT INTO wares SELECT n, ['Quill', 'Ink', 'Stamp', 'Wax'][n], 10.0 * n, [40.0, 9.0, 30.0, 20.0][n] FROM range(1, 5) t(n);
CREATE TABLE weather (
    measured_on DATE PRIMARY KEY, mean_pressure_mb INTEGER, min_pressure_mb INTEGER, max_pressure_mb INTEGER
);
INSERT INTO weather SELECT
    DATE '2024-03-01' + CAST(n AS INTEGER), 1000 + n * 7 % 23, 990 + n * 5 % 23, 1010 + n * 11 % 23
FROM range(0, 25) t(n);
CREATE TABLE pupils (pupil_id INTEGER PRIMARY KEY, pupil_name VARCHAR);
INSERT INTO pupils SELECT n, 'Pupil ' || n FROM range(1, 10) t(n);
CREATE TABLE courses (course_id INTEGER PRIMARY KEY, course_name VARCHAR);
INSERT INTO courses SELECT n, ['Binding', 'Paper', 'Print'][n] FROM range(1, 4) t(n);
CREATE TABLE pupil_course_attendance (
    pupil_id INTEGER REFERENCES pupils (pupil_id), course_id INTEGER REFERENCES courses (course_id),
    attended_on DATE
);
INSERT INTO pupil_course_attendance SELECT n % 6 + 1, n % 3 + 1, DATE '2024-01-01' + CAST(n AS INTEGER) FROM range(1, 15) t(n);
