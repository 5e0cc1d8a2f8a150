CREATE TABLE shelters (code VARCHAR PRIMARY KEY, shelter_name VARCHAR, county VARCHAR, kennels INTEGER, area_sqm DOUBLE);
CREATE TABLE dogs (
    dog_id INTEGER PRIMARY KEY, dog_name VARCHAR, breed VARCHAR, birth_date VARCHAR, weight_kg DOUBLE, temper VARCHAR,
    shelter_code VARCHAR REFERENCES shelters (code)
);
CREATE TABLE helpers (
    helper_id INTEGER PRIMARY KEY, given_name VARCHAR, family_name VARCHAR, yearly_pay INTEGER, started_on VARCHAR
);
CREATE TABLE walks (
    walk_id INTEGER PRIMARY KEY, dog_id INTEGER REFERENCES dogs (dog_id),
    helper_id INTEGER REFERENCES helpers (helper_id), walked_on VARCHAR, minutes INTEGER
);
INSERT INTO shelters VALUES
    ('NO', 'North Gate', 'Kerry', 12, 400), ('SO', 'Southfield', 'Mayo', 2, 90), ('EA', 'East Lodge', 'Sligo', 7, 210),
    ('WE', 'Westwood', 'Kerry', 1, 60), ('MI', 'Midway', 'Clare', 9, 500);
INSERT INTO dogs VALUES
    (1, 'Rex', 'Collie', '2012-03-01', 21, 'calm', 'NO'), (2, 'Fly', 'Collie', '2019-07-15', 18, 'lively', 'SO'),
    (3, 'Bonny', 'Beagle', '2009-11-30', 11, 'calm', 'EA'), (4, 'Duke', 'Boxer', '2015-01-20', 31, 'lively', 'NO'),
    (5, 'Moss', 'Collie', '2021-05-05', 16, 'calm', 'WE'), (6, 'Tess', 'Beagle', '2018-09-09', 10, 'lively', 'EA');
INSERT INTO helpers VALUES
    (1, 'Aoife', 'Byrne', 31000, '2015-02-01'), (2, 'Sean', 'Daly', 27500, '2018-06-11'),
    (3, 'Orla', 'Keane', 40200, '2011-09-30'), (4, 'Eoin', 'Nolan', 22000, '2021-01-04');
INSERT INTO walks VALUES
    (1, 1, 1, '2022-01-10', 30), (2, 1, 2, '2022-06-11', 45), (3, 2, 1, '2022-12-24', 20), (4, 3, 3, '2023-02-02', 60),
    (5, 4, 1, '2023-03-15', 35), (6, 5, 2, '2023-08-19', 25), (7, 6, 3, '2023-10-01', 50), (8, 1, 3, '2024-01-01', 40);
