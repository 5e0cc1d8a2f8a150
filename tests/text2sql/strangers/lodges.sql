CREATE TABLE lodge (lodge_id INTEGER PRIMARY KEY, lodge_name TEXT, region TEXT);
INSERT INTO lodge VALUES (1, 'Fern', 'North'), (2, 'Gorse', 'South');
CREATE TABLE guest (guest_id INTEGER PRIMARY KEY, guest_name TEXT);
INSERT INTO guest VALUES (1, 'Fay'), (2, 'Gus');
CREATE TABLE stay_booking (booking_id INTEGER PRIMARY KEY, lodge_id INTEGER REFERENCES lodge, guest_id INTEGER REFERENCES guest, booked_at TIMESTAMP, arrival_date DATE, departure_date DATE, price INTEGER);
INSERT INTO stay_booking VALUES (1, 1, 1, '2025-01-04 10:00', '2025-05-03', '2025-05-10', 700), (2, 1, 2, '2025-02-01 11:00', '2025-05-12', '2025-05-14', 220), (3, 2, 1, '2025-02-03 12:00', '2025-06-07', '2025-06-10', 330), (4, 2, 2, '2025-02-08 09:00', '2025-06-16', '2025-06-20', 400);
