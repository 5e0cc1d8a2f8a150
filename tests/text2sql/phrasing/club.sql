CREATE TABLE members (
    member_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, standing VARCHAR, on_scholarship BOOLEAN,
    children INTEGER, date_became_member DATE
);
CREATE TABLE courses (course_id INTEGER PRIMARY KEY, title VARCHAR, kind VARCHAR, fee DOUBLE, weeks INTEGER);
CREATE TABLE enrolments (
    enrolment_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members (member_id),
    course_id INTEGER REFERENCES courses (course_id), hours_per_week INTEGER, hours_done INTEGER, enrolled_on DATE
);
CREATE TABLE payments (
    payment_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members (member_id), method VARCHAR, amount DOUBLE,
    paid_on DATE
);
CREATE TABLE course_equipment (
    course_id INTEGER REFERENCES courses (course_id), item VARCHAR, PRIMARY KEY (course_id, item)
);
CREATE TABLE festivals (
    festival_id INTEGER PRIMARY KEY, festival_name VARCHAR, chair VARCHAR, year INTEGER, audience INTEGER,
    budget_million DOUBLE);
CREATE TABLE suppliers (supplier_id INTEGER PRIMARY KEY, supplier_name VARCHAR);
CREATE TABLE supplies (supplier_id INTEGER REFERENCES suppliers (supplier_id), item VARCHAR, since DATE);
CREATE TABLE equipment_orders (
    equipment_order_id INTEGER PRIMARY KEY, supplier_id INTEGER REFERENCES suppliers (supplier_id), state VARCHAR, total DOUBLE
);
INSERT INTO members SELECT
    n, ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gus'][n % 7 + 1], ['Marsh', 'Nolan', 'Olsen', 'Pratt', 'Quinn'][n % 5 + 1],
    CASE WHEN n % 4 = 0 THEN 'Bad Member' ELSE 'Good Member' END, n % 3 = 0,
    n % 3, DATE '2019-02-01' + CAST(n * 37 AS INTEGER)
FROM range(1, 36) t(n);
INSERT INTO courses SELECT
    n, ['Sunrise', 'Noon', 'Dusk'][n % 3 + 1] || ' ' || n,
    ['Yoga for beginners', 'Indoor climbing', 'Swimming', 'Lap swimming'][n % 4 + 1], 30 + n * 17 % 70, 2 + n * 5 % 9
FROM range(1, 13) t(n);
INSERT INTO enrolments SELECT
    n, n * 7 % 30 + 1, n * n % 11 + 1, n * 11 % 45, n * 13 % 300, DATE '2023-01-05' + CAST(n * 6 AS INTEGER)
FROM range(1, 61) t(n);
INSERT INTO payments SELECT
    n, n * 5 % 31 + 1, ['Credit Card', 'Direct Debit'][n % 2 + 1], 20 + n * 19 % 130, DATE '2023-02-01' + CAST(n * 9 AS INTEGER)
FROM range(1, 41) t(n);
INSERT INTO course_equipment SELECT n, 'Mat' FROM range(1, 5) t(n);
INSERT INTO course_equipment SELECT n, 'Rope' FROM range(3, 9) t(n);
INSERT INTO course_equipment SELECT n, 'Ball' FROM range(2, 4) t(n);
INSERT INTO festivals VALUES
    (1, 'Spring Fair', 'Ann Lee', 2006, 150, 0.8), (2, 'Harvest', 'Bo Ray', 2007, 155, 2.5), (3, 'Lights', 'Cy Fox', 2007, 160, 1.5),
    (4, 'Boats', 'Di Orr', 2008, 161, 3.2);
INSERT INTO suppliers VALUES (1, 'Acme'), (2, 'Bolt'), (3, 'Cogs');
INSERT INTO supplies VALUES
    (1, 'Mat', DATE '2022-01-01'), (2, 'Mat', DATE '2022-05-01'), (2, 'Rope', DATE '2023-01-01'), (3, 'Ball', DATE '2023-02-01');
INSERT INTO equipment_orders SELECT
    n, n % 3 + 1, ['On The Way', 'In Progress', 'Done'][n * 5 % 7 % 3 + 1], 100 + n * 77 % 900
FROM range(1, 25) t(n);
