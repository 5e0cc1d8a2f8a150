CREATE TABLE plots (plot_id INTEGER PRIMARY KEY, plot_name VARCHAR, altitude INTEGER, lowest_temperature INTEGER, opened_year INTEGER, rent DOUBLE);
CREATE TABLE "Plant_Kind" ("Plant" VARCHAR PRIMARY KEY, "PlantKind" VARCHAR);
CREATE TABLE "Has_Plant" (plot_id INTEGER REFERENCES plots (plot_id), "Plant" VARCHAR REFERENCES "Plant_Kind" ("Plant"));
CREATE TABLE gardener (name VARCHAR PRIMARY KEY, age INTEGER, town VARCHAR, trade VARCHAR);
CREATE TABLE gardenerfriend (
    name VARCHAR REFERENCES gardener (name), friend VARCHAR REFERENCES gardener (name), since_year INTEGER
);
CREATE TABLE staff (staff_num INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR);
CREATE TABLE crew (crew_code VARCHAR PRIMARY KEY, crew_name VARCHAR, staff_num INTEGER REFERENCES staff (staff_num));
CREATE TABLE pruner (
    staff_num INTEGER REFERENCES staff (staff_num), crew_code VARCHAR REFERENCES crew (crew_code), shed VARCHAR, licence VARCHAR,
    plot_id INTEGER REFERENCES plots (plot_id)
);
CREATE TABLE badge (badge_id INTEGER PRIMARY KEY, title VARCHAR, points INTEGER);
CREATE TABLE needed (
    badge_id INTEGER REFERENCES badge (badge_id), needed_id INTEGER REFERENCES badge (badge_id), PRIMARY KEY (badge_id, needed_id)
);
CREATE TABLE helper (
    helper_id INTEGER PRIMARY KEY, first_name VARCHAR, middle_name VARCHAR, last_name VARCHAR, date_of_enrolment DATE,
    date_of_leaving DATE, registration_id INTEGER
);
CREATE TABLE plot_rank (plot_id INTEGER PRIMARY KEY, rank INTEGER, total INTEGER);
INSERT INTO plots VALUES
    (1, 'Fenside', -4, -12, 1999, 40), (2, 'Marsh End', 3, -7, 2004, 55), (3, 'Hilltop', 120, -18, 2011, 35),
    (4, 'Polder', -6, -9, 2011, 60), (5, 'Dyke', 0, -5, 2018, 48);
INSERT INTO "Plant_Kind" VALUES
    ('Leek', 'root'), ('Carrot', 'root'), ('Kale', 'leaf'), ('Chard', 'leaf'), ('Rose', 'flower'), ('Parsnip', 'root'),
    ('Tulip', 'flower'), ('Lettuce', 'leaf');
INSERT INTO "Has_Plant" VALUES
    (1, 'Leek'), (1, 'Kale'), (2, 'Kale'), (3, 'Kale'), (3, 'Rose'), (4, 'Carrot'), (4, 'Leek'), (5, 'Tulip');
INSERT INTO gardener VALUES
    ('Ann', 34, 'Ely', 'baker'), ('Ben', 51, 'Wisbech', 'nurse'), ('Cleo', 27, 'Ely', 'driver'), ('Dov', 62, 'March', 'nurse'),
    ('Eva', 45, 'Wisbech', 'baker');
INSERT INTO gardenerfriend VALUES
    ('Ann', 'Ben', 2001), ('Ann', 'Cleo', 2015), ('Ben', 'Ann', 2001), ('Cleo', 'Dov', 2019), ('Dov', 'Ben', 1990), ('Eva', 'Ann', 2010);
INSERT INTO staff VALUES (1, 'Gil', 'Ash'), (2, 'Hana', 'Birch'), (3, 'Ian', 'Cole'), (4, 'Jo', 'Dean'), (5, 'Kit', 'Elm');
INSERT INTO crew VALUES ('HED', 'Hedges', 1), ('TRE', 'Trees', 2);
INSERT INTO pruner VALUES (3, 'HED', 'A1', 'full', 1), (4, 'HED', 'A2', 'none', 2), (5, 'TRE', 'B1', 'full', 2),
    (1, 'TRE', 'B2', 'none', 4);
INSERT INTO badge VALUES (1, 'Composting', 5), (2, 'Pruning', 20), (3, 'Grafting', 50), (4, 'Seed Saving', 10);
INSERT INTO needed VALUES (2, 1), (3, 2), (4, 1);
INSERT INTO helper VALUES
    (1, 'Lea', 'Ann', 'Moss', '2020-02-01', '2022-01-01', 8), (2, 'Max', 'Jon', 'Abel', '2021-05-06', '2023-03-01', 9),
    (3, 'Nia', 'Eve', 'Orr', '2022-07-08', '2024-04-04', 7);
INSERT INTO plot_rank VALUES (1, 3, 9), (2, 1, 22), (3, 2, 14), (4, 5, 4), (5, 4, 7);
