-- A guesthouse: stays that are booked and cancelled, payments and reviews; bookings end on 30 November 2024, stays go on.
CREATE TABLE guests (guest_id INTEGER PRIMARY KEY, guest_name VARCHAR);
INSERT INTO guests SELECT n, 'Guest ' || n FROM range(1, 41) t(n);
CREATE TABLE bookings (booking_id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guests(guest_id), channel VARCHAR, booked_on TIMESTAMP,
  arrival DATE, departure DATE, cancelled_at TIMESTAMP);
INSERT INTO bookings SELECT n, 1 + n * n % 37, ['web', 'phone'][1 + n % 2], TIMESTAMP '2023-06-01 07:30:00' + INTERVAL (n * 65) HOUR,
  CAST(TIMESTAMP '2023-06-01 07:30:00' + INTERVAL (n * 65) HOUR AS DATE) + CAST(n * 11 % 40 AS INTEGER),
  CAST(TIMESTAMP '2023-06-01 07:30:00' + INTERVAL (n * 65) HOUR AS DATE) + CAST(n * 11 % 40 + 1 + n % 5 AS INTEGER),
  CASE WHEN n % 8 = 0 AND n * 11 % 40 > 5 THEN TIMESTAMP '2023-06-01 19:00:00' + INTERVAL (n * 65 + n * 11 % 40 * 20) HOUR END
FROM range(1, 202) t(n);
INSERT INTO bookings VALUES (202, 5, 'web', '2024-11-30 21:15:00', '2024-12-02', '2024-12-05', NULL), (203, 6, 'web', '2024-11-30 20:05:00', '2024-11-30', '2024-12-01', NULL);
CREATE TABLE payments (payment_id INTEGER PRIMARY KEY, booking_id INTEGER REFERENCES bookings(booking_id), paid_at TIMESTAMP, amount DOUBLE);
INSERT INTO payments SELECT n, n, TIMESTAMP '2023-06-01 12:00:00' + INTERVAL (n * 65 + (n * 11 % 40 + n % 7) * 24) HOUR, 60 + n * 31 % 140
FROM range(1, 180) t(n);
CREATE TABLE reviews (review_id INTEGER PRIMARY KEY, booking_id INTEGER REFERENCES bookings(booking_id), written_on DATE, stars INTEGER);
INSERT INTO reviews SELECT n, n * 2, CAST(TIMESTAMP '2023-06-01 07:30:00' + INTERVAL (n * 130) HOUR AS DATE) + CAST(n * 22 % 40 + 3 + n % 9 AS INTEGER), 1 + n % 5
FROM range(1, 80) t(n);
