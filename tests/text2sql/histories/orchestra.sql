CREATE TABLE sections (section_id INTEGER PRIMARY KEY, section_name VARCHAR NOT NULL);
INSERT INTO sections VALUES (1, 'Strings'), (2, 'Brass'), (3, 'Woodwind');
CREATE TABLE musicians (
    musician_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, gender VARCHAR, hired_on DATE
);
INSERT INTO musicians VALUES
    (1, 'Ada', 'Brandt', 'F', '2010-01-01'), (2, 'Ben', 'Castro', 'M', '2011-03-01'),
    (3, 'Cleo', 'Duval', 'F', '2012-05-01'), (4, 'Dan', 'Egger', 'M', '2013-02-01'),
    (5, 'Eva', 'Falk', 'F', '2014-09-01'), (6, 'Finn', 'Gallo', 'M', '2015-06-01');
-- where they sit, with its history: what still holds ends on a day that never comes
CREATE TABLE seats (
    musician_id INTEGER REFERENCES musicians (musician_id), section_id INTEGER REFERENCES sections (section_id),
    from_date DATE NOT NULL, to_date DATE NOT NULL, PRIMARY KEY (musician_id, from_date)
);
INSERT INTO seats VALUES
    (1, 1, '2010-01-01', '2015-04-01'), (1, 2, '2015-04-01', '9999-01-01'),
    (2, 2, '2011-03-01', '9999-01-01'), (3, 3, '2012-05-01', '2018-07-01'),
    (4, 1, '2013-02-01', '2016-01-01'), (4, 3, '2016-01-01', '9999-01-01'),
    (5, 1, '2014-09-01', '9999-01-01'), (6, 1, '2015-06-01', '2017-10-01');
CREATE TABLE fees (
    musician_id INTEGER REFERENCES musicians (musician_id), fee INTEGER NOT NULL,
    from_date DATE NOT NULL, to_date DATE NOT NULL, PRIMARY KEY (musician_id, from_date)
);
INSERT INTO fees VALUES
    (1, 300, '2010-01-01', '2014-01-01'), (1, 340, '2014-01-01', '2017-01-01'), (1, 410, '2017-01-01', '9999-01-01'),
    (2, 280, '2011-03-01', '2016-05-01'), (2, 390, '2016-05-01', '9999-01-01'),
    (3, 310, '2012-05-01', '2018-07-01'),
    (4, 250, '2013-02-01', '2016-01-01'), (4, 330, '2016-01-01', '9999-01-01'),
    (5, 260, '2014-09-01', '9999-01-01'),
    (6, 240, '2015-06-01', '2017-10-01');
CREATE TABLE section_leaders (
    section_id INTEGER REFERENCES sections (section_id), musician_id INTEGER REFERENCES musicians (musician_id),
    from_date DATE NOT NULL, to_date DATE NOT NULL, PRIMARY KEY (section_id, from_date)
);
INSERT INTO section_leaders VALUES
    (1, 1, '2010-01-01', '2015-04-01'), (1, 5, '2015-04-01', '9999-01-01'),
    (2, 2, '2011-03-01', '9999-01-01'), (3, 3, '2012-05-01', '2018-07-01');
CREATE TABLE concerts (
    concert_id INTEGER PRIMARY KEY, section_id INTEGER REFERENCES sections (section_id), held_on DATE, takings INTEGER
);
INSERT INTO concerts VALUES (1, 1, '2019-03-01', 900), (2, 2, '2019-04-01', 700), (3, 1, '2019-05-01', 500);
