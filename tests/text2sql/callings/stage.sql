-- A stage: plays of two titles that run for some years.
CREATE TABLE plays (
    play_id INTEGER PRIMARY KEY, main_title VARCHAR, working_title VARCHAR, kind VARCHAR, start_year INTEGER,
    end_year INTEGER
);
CREATE TABLE critiques (critique_id INTEGER PRIMARY KEY, play_id INTEGER REFERENCES plays, stars INTEGER);
INSERT INTO plays VALUES (1, 'The Moor', 'Othello II', 'drama', 2011, 2014), (2, 'Fog', 'Fog', 'farce', 2012, NULL),
    (3, 'Owls', 'Birds of Night', 'farce', 2014, 2016), (4, 'Rye', 'Rye', 'drama', 2014, NULL),
    (5, 'Tides', 'Ebb and Flow', 'drama', 2012, 2014);
INSERT INTO critiques VALUES (1, 1, 4), (2, 1, 2), (3, 3, 5), (4, 5, 1);
