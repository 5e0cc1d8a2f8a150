CREATE TABLE wrk (wrk_no INTEGER PRIMARY KEY, wrk_ttl TEXT, comp_nm TEXT, era TEXT, dur_min INTEGER);
INSERT INTO wrk VALUES (1, 'Night Ferry', 'Vera Holm', 'modern', 12), (2, 'Grey Salt', 'Jon Ek', 'modern', 30),
  (3, 'Tin Roof', 'Per Dahl', 'classical', 40), (4, 'Low Tide', 'Per Dahl', 'classical', 20), (5, 'Slow Air', 'Jon Ek', 'classical', 28);
CREATE TABLE mus (mus_no INTEGER PRIMARY KEY, mus_nm TEXT, dt_join DATE);
INSERT INTO mus VALUES (1, 'Ada Moss', '2010-03-01'), (2, 'Bo Lind', '2012-09-10'), (3, 'Cy Hale', '2020-01-01');
CREATE TABLE conc (conc_no INTEGER PRIMARY KEY, conc_ttl TEXT, cond_nm TEXT, sol_mus_no INTEGER REFERENCES mus, dt_conc DATE, conc_st TEXT);
INSERT INTO conc VALUES (1, 'Harbour', 'Di Park', 1, '2023-01-05', 'played'), (2, 'Granary', 'Di Park', 1, '2023-02-06', 'cancelled'),
  (3, 'Lantern', 'Eli Roe', 2, '2024-02-07', 'played'), (4, 'Orchard', 'Di Park', NULL, '2024-02-09', 'played');
CREATE TABLE van (van_no INTEGER PRIMARY KEY, plate TEXT);
INSERT INTO van VALUES (1, 'TR-1'), (2, 'TR-2');
CREATE TABLE trip (trip_no INTEGER PRIMARY KEY, van_no INTEGER REFERENCES van, dt_trip DATE, distance_km DOUBLE);
INSERT INTO trip VALUES (1, 2, '2023-01-05', 41.5), (2, 1, '2023-02-06', 12), (3, 1, '2024-02-07', 80), (4, 2, '2024-02-08', 7);
