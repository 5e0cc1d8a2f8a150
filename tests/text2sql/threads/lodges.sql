-- Lodges with rooms, guests who stay in them and what they answer when asked; members of staff look after guests.
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, staff_name VARCHAR, city VARCHAR);
CREATE TABLE lodges (lodge_id INTEGER PRIMARY KEY, lodge_name VARCHAR, valley VARCHAR, capacity INTEGER, building VARCHAR);
CREATE TABLE rooms (room_id INTEGER PRIMARY KEY, lodge_id INTEGER REFERENCES lodges (lodge_id), room_name VARCHAR, decor VARCHAR, beds INTEGER, bed_type VARCHAR);
CREATE TABLE guests (guest_id INTEGER PRIMARY KEY, guest_name VARCHAR, country VARCHAR, created_at TIMESTAMP, staff_id INTEGER REFERENCES staff (staff_id));
CREATE TABLE stays (stay_id INTEGER PRIMARY KEY, room_id INTEGER REFERENCES rooms (room_id), guest_id INTEGER REFERENCES guests (guest_id), agent_name VARCHAR, arrived_on DATE, guest_cnt INTEGER, kids INTEGER NOT NULL, payment_method VARCHAR, total_amount DECIMAL(10,2), premium DECIMAL(10,2));
CREATE TABLE survey_answers (answer_id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guests (guest_id), staff_id INTEGER REFERENCES staff (staff_id), answered_at TIMESTAMP, score INTEGER);
INSERT INTO staff VALUES (1, 'Ada Brun', 'Chur'), (2, 'Bo Lind', 'Davos'), (3, 'Cleo Marti', 'Chur');
INSERT INTO lodges VALUES (1, 'Larch House', 'Upper Valley', 40, 'Old Mill'), (2, 'Pine House', 'Lower Valley', 25, 'Annexe'), (3, 'Stone Hut', 'Upper Valley', 12, 'Old Mill'), (4, 'Lake House', 'Lower Valley', 60, 'Boathouse');
INSERT INTO rooms SELECT i, i % 4 + 1, 'Room ' || i, ['rustic', 'modern', 'plain'][i % 3 + 1], i % 2 + 1, ['double', 'bunk'][i % 2 + 1] FROM range(1, 21) t(i);
INSERT INTO guests SELECT i, 'Guest ' || i, ['Norway', 'Spain', 'Japan'][i % 3 + 1], TIMESTAMP '2021-01-05 10:00:00' + INTERVAL 1 DAY * (i * 23), CASE WHEN i % 4 > 0 THEN i % 4 END FROM range(1, 61) t(i);
INSERT INTO stays SELECT i, i * i % 17 + 1, i % 60 + 1, ['Uma', 'Vito', 'Wanda'][i * i % 7 % 3 + 1], DATE '2023-01-04' + INTERVAL 1 DAY * (i * 2), i % 4 + 1, i * 5 % 3, ['card', 'cash', 'wire'][i % 3 + 1], 80 + i * 7 % 90, 5 + i % 11 FROM range(1, 301) t(i);
INSERT INTO survey_answers SELECT i, i * 7 % 60 + 1, i % 3 + 1, TIMESTAMP '2023-02-01 09:00:00' + INTERVAL 1 DAY * (i * 4), i * i % 10 + 1 FROM range(1, 161) t(i);
