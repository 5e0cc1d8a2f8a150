CREATE TABLE sites (site_id INTEGER PRIMARY KEY, site_name VARCHAR, region VARCHAR, opened_on DATE, monthly_rent INTEGER);
INSERT INTO sites SELECT
    n, ['Alder', 'Birch', 'Cedar', 'Elder', 'Hazel', 'Rowan', 'Willow'][n], ['North', 'South', 'South'][n % 3 + 1],
    DATE '2018-03-01' + CAST(n * 211 AS INTEGER), 900 + n * 130
FROM range(1, 8) t(n);
CREATE TABLE keepers (
    keeper_id INTEGER PRIMARY KEY, full_name VARCHAR, site_id INTEGER REFERENCES sites (site_id), speciality VARCHAR,
    hired_on DATE, left_on DATE, salary INTEGER
);
INSERT INTO keepers SELECT
    n, ['Ada Birk', 'Bo Crane', 'Cy Dunn', 'Di Esk', 'Ed Frost', 'Flo Gale', 'Gil Hope', 'Hana Ive', 'Ike Jory', 'Jo Kemp', 'Kit Lorne', 'Lea Mund'][n],
    n % 7 + 1, ['grooming', 'training', 'feeding'][n % 3 + 1], DATE '2019-02-01' + CAST((n * n * 37) % 1500 AS INTEGER),
    CASE WHEN n % 4 = 1 THEN DATE '2024-02-10' + CAST(n * 40 AS INTEGER) END, 21000 + (n * 733) % 9000
FROM range(1, 13) t(n);
CREATE TABLE owners (owner_id INTEGER PRIMARY KEY, full_name VARCHAR, town VARCHAR, email VARCHAR, phone VARCHAR, registered_on DATE);
INSERT INTO owners SELECT
    n, ['Al', 'Bea', 'Cal', 'Dot', 'Eve', 'Fox', 'Gus', 'Hal', 'Ira', 'Jem', 'Kay', 'Lou', 'Mo', 'Nan', 'Oz', 'Pip', 'Quin', 'Ray', 'Sal', 'Tom'][n] || ' Hill',
    ['Ely', 'Bury', 'Diss', 'Ware'][n % 4 + 1], CASE WHEN n % 3 THEN 'o' || n || '@x.org' END,
    CASE WHEN n % 5 THEN '555-01' || (n + 10) END, DATE '2022-01-09' + CAST(n * 61 AS INTEGER)
FROM range(1, 21) t(n);
CREATE TABLE animals (
    animal_id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners (owner_id), call_name VARCHAR, species VARCHAR,
    born_on DATE, died_on DATE
);
INSERT INTO animals SELECT
    n, (n * 7) % 20 + 1, 'Pet' || n, ['Dog', 'Cat', 'Rabbit'][(n * n + n // 3) % 3 + 1], DATE '2012-01-01' + CAST((n * 173) % 4300 AS INTEGER),
    CASE WHEN n % 6 = 2 THEN DATE '2024-03-01' + CAST(n * 5 AS INTEGER) END
FROM range(1, 41) t(n);
CREATE TABLE stays (
    stay_id INTEGER PRIMARY KEY, animal_id INTEGER REFERENCES animals (animal_id), site_id INTEGER REFERENCES sites (site_id),
    chk_in TIMESTAMP, chk_out TIMESTAMP, plan_type VARCHAR, status VARCHAR
);
INSERT INTO stays SELECT
    n, (n * 11) % 36 + 1, (n * n) % 7 + 1, TIMESTAMP '2023-02-03 10:00:00' + CAST(n * 4 AS INTEGER) * INTERVAL 1 DAY,
    TIMESTAMP '2023-02-05 09:00:00' + CAST(n * 4 + n % 6 AS INTEGER) * INTERVAL 1 DAY,
    ['Basic', 'Plus', 'Royal'][n % 3 + 1], ['DON', 'DON', 'CXL', 'DON', 'FRZ'][n % 5 + 1]
FROM range(1, 241) t(n);
CREATE TABLE charges (
    charge_id INTEGER PRIMARY KEY, stay_id INTEGER REFERENCES stays (stay_id), category VARCHAR, amount DECIMAL(9, 2),
    charged_on DATE, pay_status VARCHAR
);
INSERT INTO charges SELECT
    n, n % 240 + 1, ['SITE', 'BATH', 'WALK'][(n // 7) % 3 + 1], 8 + (n * 97) % 113 + n / 1000.0,
    DATE '2023-02-05' + CAST((n % 240) * 4 + 1 AS INTEGER), ['ok', 'ok', 'failed', 'ok', 'refunded'][(n // 3) % 5 + 1]
FROM range(1, 601) t(n);
CREATE TABLE reviews (review_id INTEGER PRIMARY KEY, stay_id INTEGER REFERENCES stays (stay_id), score INTEGER, posted_on DATE);
INSERT INTO reviews SELECT n, n * 2, (n * 13) % 10 + 1, DATE '2023-02-12' + CAST(n * 8 + n % 3 AS INTEGER) FROM range(1, 116) t(n);
