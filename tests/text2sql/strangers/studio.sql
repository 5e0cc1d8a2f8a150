CREATE TABLE studios (studio_id INTEGER PRIMARY KEY, studio_name TEXT, town TEXT);
INSERT INTO studios VALUES (1, 'Loft', 'Ayr'), (2, 'Barn', 'Ayr'), (3, 'Mill', 'Bute');
CREATE TABLE coaches (coach_id INTEGER PRIMARY KEY, coach_name TEXT, town TEXT);
INSERT INTO coaches VALUES (1, 'Ann', 'Ayr'), (2, 'Bob', 'Bute'), (3, 'Cem', 'Ayr');
CREATE TABLE members (member_id INTEGER PRIMARY KEY, member_name TEXT);
INSERT INTO members VALUES (1, 'Xia'), (2, 'Yul'), (3, 'Zoe');
CREATE TABLE classes (class_id INTEGER PRIMARY KEY, coach_id INTEGER REFERENCES coaches, studio_id INTEGER REFERENCES studios,
  member_id INTEGER REFERENCES members, booked_at TIMESTAMP, starts_at TIMESTAMP, state_code TEXT, fee DECIMAL(6, 2));
INSERT INTO classes VALUES
  (1, 1, 1, 1, '2023-12-28 09:00', '2024-01-02 10:00', 'CMP', 10), (2, 1, 1, 1, '2024-01-03 09:00', '2024-02-02 10:00', 'CAN', 10),
  (3, 1, 2, 1, '2024-02-03 09:00', '2024-02-12 10:00', 'CMP', 12), (4, 2, 3, 2, '2024-02-28 09:00', '2024-03-02 10:00', 'CMP', 14),
  (5, 2, 3, 2, '2024-03-03 09:00', '2025-01-10 10:00', 'CAN', 16), (6, 3, 3, 2, '2024-12-20 09:00', '2025-01-12 10:00', 'CMP', 18),
  (7, 1, 3, 3, '2025-01-01 09:00', '2025-02-01 10:00', 'CMP', 20), (8, 2, 3, 2, '2025-01-28 09:00', '2025-02-02 10:00', 'CAN', 10);
