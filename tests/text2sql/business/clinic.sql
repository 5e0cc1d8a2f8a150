-- A clinic: who was admitted, and whose discharge is a row of its own; what was only expected is beside.
CREATE TABLE admissions (admission_id INTEGER PRIMARY KEY, kind VARCHAR, booked_on DATE, admitted_at TIMESTAMP, expected_discharge_on DATE);
CREATE TABLE discharges (discharge_id INTEGER PRIMARY KEY, admission_id INTEGER NOT NULL REFERENCES admissions (admission_id), medically_fit_at TIMESTAMP, discharged_at TIMESTAMP);
INSERT INTO admissions SELECT i, ['planned','emergency'][1 + i % 2], DATE '2024-01-01' + CAST(i AS INTEGER), TIMESTAMP '2024-01-10 09:00:00' + INTERVAL (i) DAY, DATE '2024-01-14' + CAST(i AS INTEGER) FROM range(1, 41) t(i);
INSERT INTO discharges SELECT i, i, a + INTERVAL 1 DAY, a + INTERVAL (1 + (i * 3) % 11) DAY FROM (SELECT admission_id i, admitted_at a FROM admissions WHERE admission_id <= 36);
-- Its help desk, and those who pay for its gym.
CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, subject VARCHAR, opened_at TIMESTAMP, closed_at TIMESTAMP);
INSERT INTO tickets SELECT i, 'Ticket ' || i, o, CASE WHEN i % 5 > 0 THEN o + INTERVAL (i % 40) DAY END FROM (SELECT i, TIMESTAMP '2024-01-05 10:00:00' + INTERVAL (i * 2) DAY o FROM range(1, 61) t(i));
CREATE TABLE members (member_id INTEGER PRIMARY KEY, full_name VARCHAR, town VARCHAR);
CREATE TABLE memberships (membership_id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES members (member_id), started_on DATE, ended_on DATE, monthly_fee DECIMAL(6,2));
INSERT INTO members SELECT i, 'Member ' || i, ['Cork','Cobh'][1 + i % 2] FROM range(1, 21) t(i);
INSERT INTO memberships SELECT i, i, DATE '2024-01-01' + CAST(4 * i AS INTEGER), CASE WHEN i % 3 = 0 THEN DATE '2024-06-01' + CAST(i AS INTEGER) END, 30 + i FROM range(1, 21) t(i);
