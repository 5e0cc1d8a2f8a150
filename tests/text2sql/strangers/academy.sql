CREATE TABLE learners (
  learner_id INTEGER PRIMARY KEY, full_name VARCHAR, signup_channel VARCHAR, wants_newsletter BOOLEAN, active VARCHAR, joined_on DATE
);
INSERT INTO learners SELECT i, ['Ana', 'Ben', 'Cleo', 'Dan', 'Eva'][1 + i % 5] || ' ' || ['Hill', 'Moss', 'Ray'][1 + i % 3],
  ['newsletter', 'search', 'friend', 'fair'][1 + i % 4], i % 3 = 0, CASE WHEN i % 5 = 0 THEN 'N' ELSE 'Y' END, DATE '2023-02-01' + (i * 11)::INT
FROM range(1, 41) t(i);
CREATE TABLE courses (course_id INTEGER PRIMARY KEY, title VARCHAR, list_price DECIMAL(8, 2));
INSERT INTO courses VALUES (1, 'SQL for starters', 40), (2, 'Statistics', 60), (3, 'Dashboards', 35);
CREATE TABLE enrolments (
  enrolment_id INTEGER PRIMARY KEY, learner_id INTEGER NOT NULL REFERENCES learners, course_id INTEGER NOT NULL REFERENCES courses,
  enrolled_on DATE, price_paid DECIMAL(8, 2), coupon_code VARCHAR
);
INSERT INTO enrolments SELECT i, 1 + (i * i) % 33, 1 + i % 3, DATE '2024-01-03' + (i * 6)::INT, CASE WHEN i % 7 = 0 THEN 0 ELSE 20 + i % 30 END,
  CASE WHEN i % 4 = 0 THEN 'SPRING' END
FROM range(1, 91) t(i);
CREATE TABLE quiz_attempts (
  attempt_id INTEGER PRIMARY KEY, enrolment_id INTEGER NOT NULL REFERENCES enrolments, attempted_at TIMESTAMP, score INTEGER, is_passed BOOLEAN
);
INSERT INTO quiz_attempts SELECT i, 1 + (i * 7) % 90, TIMESTAMP '2024-01-10 10:00:00' + to_hours((i * 40)::INT), (i * 13) % 101, (i * 13) % 101 > 49
FROM range(1, 151) t(i);
CREATE TABLE offers (
  offer_id INTEGER PRIMARY KEY, company VARCHAR, offered_on DATE, status VARCHAR, price DECIMAL(9, 2), estimate DECIMAL(9, 2)
);
INSERT INTO offers SELECT i, 'Firm ' || i, DATE '2024-02-01' + (i * 9)::INT, ['open', 'accepted', 'declined'][1 + i % 3], 300 + (i * 170) % 900, 150 + i * 10
FROM range(1, 31) t(i);
CREATE TABLE seminars (
  seminar_id INTEGER PRIMARY KEY, offer_id INTEGER NOT NULL REFERENCES offers, planned_for DATE, completed_on DATE
);
INSERT INTO seminars SELECT i, 1 + (i * 3) % 30, DATE '2024-04-01' + (i * 12)::INT, CASE WHEN i % 3 > 0 THEN DATE '2024-04-02' + (i * 12)::INT END
FROM range(1, 25) t(i);
CREATE TABLE units (unit_id INTEGER PRIMARY KEY, unit_label VARCHAR, size_sqm INTEGER);
INSERT INTO units VALUES (1, 'Attic', 20), (2, 'Garden', 35), (3, 'Court', 28);
CREATE TABLE stays (
  stay_id INTEGER PRIMARY KEY, learner_id INTEGER NOT NULL REFERENCES learners, unit_id INTEGER NOT NULL REFERENCES units, arrived_on DATE,
  children INTEGER, total_price DECIMAL(9, 2), due_date DATE, paid_date DATE
);
INSERT INTO stays SELECT i, 1 + i % 40, 1 + i % 3, DATE '2024-05-01' + (i * 5)::INT, i % 4, 100 + i * 7, DATE '2024-05-10' + (i * 5)::INT,
  CASE WHEN i % 4 > 0 THEN DATE '2024-05-05' + (i * 5 + (i * 7) % 12)::INT END
FROM range(1, 61) t(i);
CREATE TABLE treatments (treatment_code VARCHAR PRIMARY KEY, name VARCHAR, list_price DECIMAL(6, 2));
INSERT INTO treatments VALUES ('TW', 'Teeth Whitening', 90), ('SP', 'Scale and Polish', 45), ('CF', 'Composite Filling', 110);
CREATE TABLE appointments (appointment_id INTEGER PRIMARY KEY, learner_id INTEGER NOT NULL REFERENCES learners, starts_at TIMESTAMP);
INSERT INTO appointments SELECT i, 1 + i % 40, TIMESTAMP '2023-06-01 09:00:00' + to_days((i * 17)::INT) FROM range(1, 51) t(i);
CREATE TABLE appointment_treatments (
  line_id INTEGER PRIMARY KEY, appointment_id INTEGER NOT NULL REFERENCES appointments, treatment_code VARCHAR NOT NULL REFERENCES treatments,
  charged DECIMAL(6, 2)
);
INSERT INTO appointment_treatments SELECT i, 1 + (i * 3) % 50, ['TW', 'SP', 'CF'][1 + (i * i) % 3], 40 + i FROM range(1, 81) t(i);
