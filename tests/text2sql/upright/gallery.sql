CREATE TABLE artist (artist_id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);
INSERT INTO artist VALUES (1, 'Ida Holt', 'Ely'), (2, 'Ken Ward', 'Bath'), (3, 'Mia Cole', 'Ely');
CREATE TABLE work (work_id INTEGER PRIMARY KEY, title VARCHAR, artist_id INTEGER REFERENCES artist (artist_id),
    style VARCHAR, height_cm INTEGER);
INSERT INTO work VALUES (1, 'Low Tide', 1, 'landscape', 40), (2, 'Old Mill', 1, 'landscape', 60),
    (3, 'Two Pears', 2, 'still life', 30), (4, 'The Baker', 3, 'portrait', 90);
CREATE TABLE royalty (royalty_id INTEGER PRIMARY KEY, work_id INTEGER REFERENCES work (work_id), amount DECIMAL(8, 2));
INSERT INTO royalty VALUES (1, 1, 20), (2, 1, 35), (3, 2, 12), (4, 3, 50), (5, 3, 8), (6, 3, 9);
CREATE TABLE bill (bill_id INTEGER PRIMARY KEY, artist_id INTEGER REFERENCES artist (artist_id), issued_on DATE,
    settled_on DATE, net_amount DECIMAL(8, 2), gross_amount DECIMAL(8, 2));
INSERT INTO bill VALUES (1, 1, '2023-12-28', '2024-01-15', 100, 120), (2, 1, '2024-03-02', '2024-03-20', 50, 60),
    (3, 2, '2024-06-11', '2024-07-01', 80, 84), (4, 3, '2024-12-20', NULL, 200, 240);
CREATE TABLE print (print_id INTEGER PRIMARY KEY, work_id INTEGER REFERENCES work (work_id), quote DECIMAL(8, 2),
    final_amount DECIMAL(8, 2));
INSERT INTO print VALUES (1, 1, 30, 35), (2, 2, 40, 40), (3, 4, 25, 45);
CREATE TABLE stall (stall_id INTEGER PRIMARY KEY, region VARCHAR, held_on DATE, fees DECIMAL(8, 2), total_cost DECIMAL(8, 2));
INSERT INTO stall VALUES (1, 'North', '2024-05-01', 30, 12), (2, 'South', '2024-06-01', 45, 20), (3, 'North', '2024-07-01', 25, 9);
