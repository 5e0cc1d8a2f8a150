CREATE TABLE exhibitors (exhibitor_id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR, maker VARCHAR);
CREATE TABLE guests (guest_id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR, accepts_mail BOOLEAN);
CREATE TABLE bookings (
    booking_id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guests (guest_id), booked_on DATE, price DOUBLE
);
CREATE TABLE booking_gift_cards (
    gift_card_id INTEGER PRIMARY KEY, booking_id INTEGER REFERENCES bookings (booking_id), card VARCHAR
);
CREATE TABLE complaints (
    complaint_id INTEGER PRIMARY KEY, booking_id INTEGER REFERENCES bookings (booking_id), complaint_date DATE
);
INSERT INTO exhibitors SELECT n, 'Stand ' || n, ['Bern', 'Lyon', 'Graz', 'Turin'][n % 4 + 1], 'M' || n % 3 FROM range(1, 13) t(n);
INSERT INTO guests SELECT n, 'Guest ' || n, ['Lyon', 'Oslo', 'Graz'][n % 3 + 1], n % 4 = 0 FROM range(1, 31) t(n);
INSERT INTO bookings
SELECT n, n * 7 % 30 + 1, DATE '2024-01-01' + CAST(n * 3 AS INTEGER), 30 + n * 11 % 70 FROM range(1, 121) t(n);
INSERT INTO booking_gift_cards SELECT n, n * 5 % 120 + 1, 'C' || n FROM range(1, 41) t(n);
INSERT INTO complaints
SELECT n, n * 9 % 120 + 1, (SELECT booked_on FROM bookings WHERE booking_id = n * 9 % 120 + 1) + CAST(n % 13 AS INTEGER)
FROM range(1, 16) t(n);
