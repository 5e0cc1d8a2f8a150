-- Lakes, with a figure for each month in a column of its own.
CREATE TABLE lakes (lake_id INTEGER PRIMARY KEY, lake TEXT, dutch_name TEXT, pax_dom INTEGER, pax_intl INTEGER, boats_all INTEGER, boats_small INTEGER);
INSERT INTO lakes VALUES (1, 'Aldersee', 'Elzenmeer', 50, 7, 9, 4), (2, 'Birk', 'Berkenmeer', 20, 8, 12, 1),
    (3, 'Corrie', 'Dalmeer', 35, 9, 5, 2);
CREATE TABLE water (lake_id INTEGER PRIMARY KEY REFERENCES lakes(lake_id), jan_temp DOUBLE, feb_temp DOUBLE, mar_temp DOUBLE,
    rain_jan DOUBLE, rain_feb DOUBLE, rain_mar DOUBLE);
INSERT INTO water VALUES (1, 1.5, 2.5, 4.0, 80, 70, 60), (2, 3.0, 2.0, 1.0, 40, 55, 50), (3, 2.2, 2.4, 6.5, 30, 20, 10);
CREATE TABLE allergen_catalog (allergen TEXT PRIMARY KEY, category TEXT);
INSERT INTO allergen_catalog VALUES ('Birch', 'pollen'), ('Cat', 'animal'), ('Oak', 'pollen'), ('Egg', 'food');
CREATE TABLE swimmer_intolerance (swimmer_no INTEGER, allergen TEXT REFERENCES allergen_catalog(allergen));
INSERT INTO swimmer_intolerance VALUES (1, 'Birch'), (2, 'Birch'), (2, 'Egg');
