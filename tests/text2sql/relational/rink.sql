CREATE TABLE crew (dno INTEGER PRIMARY KEY, dname VARCHAR, lead_start_date DATE);
CREATE TABLE skater (
    skater_id INTEGER PRIMARY KEY, skater_name VARCHAR, pos VARCHAR, hours INTEGER, home_state VARCHAR, home_country VARCHAR
);
CREATE TABLE duty_roles (role_code VARCHAR PRIMARY KEY, role_description VARCHAR);
CREATE TABLE ref_paper_types (paper_type_code VARCHAR PRIMARY KEY, paper_type_description VARCHAR);
CREATE TABLE papers (
    paper_id INTEGER PRIMARY KEY, paper_type_code VARCHAR REFERENCES ref_paper_types (paper_type_code), paper_name VARCHAR,
    access_count INTEGER
);
CREATE TABLE clerks (
    clerk_id INTEGER PRIMARY KEY, role_code VARCHAR REFERENCES duty_roles (role_code), clerk_name VARCHAR,
    crew_id INTEGER REFERENCES crew (dno)
);
CREATE TABLE handling (paper_id INTEGER REFERENCES papers (paper_id), clerk_id INTEGER REFERENCES clerks (clerk_id), copies INTEGER);
CREATE TABLE halls (hall_id INTEGER PRIMARY KEY, hall_name VARCHAR, decor VARCHAR, cost_million DOUBLE, opened_year INTEGER);
CREATE TABLE bookings (
    booking_code INTEGER PRIMARY KEY, hall INTEGER REFERENCES halls (hall_id), first_name VARCHAR, last_name VARCHAR, rate DOUBLE
);
CREATE TABLE team_rank (team_id INTEGER PRIMARY KEY, rank INTEGER, gold INTEGER, total INTEGER);
INSERT INTO crew VALUES (1, 'Ice', '2019-05-01'), (2, 'Kiosk', '2012-03-01'), (3, 'Office', '2021-01-01');
INSERT INTO skater VALUES
    (1, 'Abe', 'wing', 900, 'OH', 'USA'), (2, 'Bea', 'goalie', 1800, 'OH', 'USA'), (3, 'Col', 'wing', 1200, 'NY', 'USA'),
    (4, 'Dee', 'centre', 1600, 'ON', 'Canada');
INSERT INTO duty_roles VALUES ('MG', 'Manager'), ('ED', 'Editor'), ('PR', 'Proof reader');
INSERT INTO ref_paper_types VALUES ('CD', 'Compact disc'), ('PP', 'Paper'), ('HD', 'Hard drive');
INSERT INTO papers VALUES (1, 'CD', 'Rules', 12), (2, 'PP', 'Plan', 40), (3, 'CD', 'Songs', 7), (4, 'HD', 'Films', 40);
INSERT INTO clerks VALUES (1, 'MG', 'Una', 1), (2, 'ED', 'Val', 2), (3, 'ED', 'Wes', 3);
INSERT INTO handling VALUES (1, 1, 2), (2, 2, 1), (3, 2, 5), (4, 3, 1);
INSERT INTO halls VALUES
    (1, 'North', 'modern', 2.5, 1990), (2, 'South', 'rustic', 7, 1985), (3, 'Old', 'rustic', 1.2, 1960);
INSERT INTO bookings VALUES (11, 1, 'TIM', 'ORR', 80), (12, 1, 'ANA', 'POE', 95), (13, 2, 'TIM', 'KAY', 60), (14, 3, 'LOU', 'POE', 70);
INSERT INTO team_rank VALUES (1, 1, 9, 21), (2, 2, 4, 12), (3, 3, 1, 6), (4, 4, 0, 2);
CREATE TABLE meet (meet_id INTEGER PRIMARY KEY, name VARCHAR, venue VARCHAR, date VARCHAR);
INSERT INTO meet VALUES (1, 'Autumn', 'Old Barn', 'May 4'), (2, 'Blades', 'Gym', 'June 2'), (3, 'Cup', 'Aula', 'July 9');
CREATE TABLE pupils (pupil_id INTEGER PRIMARY KEY, personal_name VARCHAR, family_name VARCHAR, price DOUBLE);
INSERT INTO pupils VALUES (1, 'Zoe', 'Abt', 12), (2, 'Art', 'Yun', 12), (3, 'Moe', 'Kay', 30);
