-- A weaving mill: lines that are called by their key, weavers who have no name, parcels that go through several days.
CREATE TABLE fabric_lines (fabricLine VARCHAR PRIMARY KEY, textDescription VARCHAR);
CREATE TABLE fabrics (
    fabricCode VARCHAR PRIMARY KEY, fabricName VARCHAR, fabricLine VARCHAR REFERENCES fabric_lines, metres INTEGER
);
CREATE TABLE faults (fault_code VARCHAR PRIMARY KEY, fault_description VARCHAR, points INTEGER);
CREATE TABLE weavers (weaver_id VARCHAR PRIMARY KEY, weaver_city VARCHAR, weaver_zip_code VARCHAR);
CREATE TABLE weavings (
    weaving_id INTEGER PRIMARY KEY, weaver_id VARCHAR REFERENCES weavers, fabricCode VARCHAR REFERENCES fabrics,
    fault_code VARCHAR REFERENCES faults, woven_on DATE
);
CREATE TABLE parcels (
    parcel_id INTEGER PRIMARY KEY, weaver_id VARCHAR REFERENCES weavers, parcel_created_at TIMESTAMP,
    parcel_weighed_at TIMESTAMP, parcel_handed_over_at TIMESTAMP, parcel_promised_on DATE, kilos INTEGER
);
CREATE TABLE visitors (
    visitor_id INTEGER PRIMARY KEY, visitor_name VARCHAR, creation_date DATE, last_seen_on DATE
);
INSERT INTO fabric_lines VALUES
    ('Light Silks', 'For those who have always wanted to dress as if they wore nothing but the breath of summer wind.'),
    ('Heavy Wools', 'Our heaviest weaves keep out any frost, and last for as long as there are moths to stay away.'),
    ('Plain Linens', 'Linen as it was woven by the great-grandparents of the founders of this mill, and in no other way.');
INSERT INTO fabrics VALUES ('F1', 'Breeze', 'Light Silks', 40), ('F2', 'Cloud', 'Light Silks', 25),
    ('F3', 'Bear', 'Heavy Wools', 90), ('F4', 'Field', 'Plain Linens', 70), ('F5', 'Barn', 'Plain Linens', 5);
INSERT INTO faults VALUES ('TS', 'Torn seam', 5), ('KN', 'Knot', 2), ('ST', 'Stain', 3);
INSERT INTO weavers VALUES ('w7a1', 'Lyon', '69001'), ('w7b2', 'Lyon', '69002'), ('w8c3', 'Como', '22100'),
    ('w9d4', 'Como', '22101'), ('w9e5', 'Lyon', '69003');
INSERT INTO weavings VALUES (1, 'w7a1', 'F1', 'TS', '2023-01-03'), (2, 'w7a1', 'F3', NULL, '2023-02-03'),
    (3, 'w8c3', 'F4', 'KN', '2023-02-04'), (4, 'w9e5', 'F2', 'KN', '2023-03-09');
INSERT INTO parcels VALUES (1, 'w7a1', '2022-12-30 10:00', '2023-01-02 09:00', '2023-01-05 09:00', '2023-01-09', 4),
    (2, 'w7a1', '2023-01-10 10:00', '2023-01-12 09:00', '2023-02-01 09:00', '2023-01-30', 6),
    (3, 'w8c3', '2023-01-31 10:00', '2023-02-01 09:00', '2023-02-03 09:00', '2023-02-09', 3),
    (4, 'w9e5', '2023-02-15 10:00', '2023-02-16 09:00', '2023-03-02 09:00', '2023-02-28', 8),
    (5, 'w9e5', '2023-12-30 10:00', '2024-01-02 09:00', '2024-01-03 09:00', '2024-01-09', 2),
    (6, 'w8c3', '2024-01-04 10:00', NULL, NULL, '2024-01-20', 7);
INSERT INTO visitors VALUES (1, 'Ann', '2022-05-01', '2023-02-02'), (2, 'Ben', '2023-03-03', '2023-03-03'),
    (3, 'Cid', '2023-06-01', '2024-01-01');
