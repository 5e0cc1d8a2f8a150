CREATE TABLE ride (ride_no INTEGER, start_town VARCHAR, end_town VARCHAR, driver VARCHAR, dispatcher VARCHAR, km INTEGER);
INSERT INTO ride VALUES (1, 'Ely', 'Bath', 'Nils', 'Mia', 20), (2, 'Ely', 'Ely', 'Ola', 'Nils', 4),
    (3, 'Bath', 'Ely', 'Nils', 'Mia', 22), (4, 'Bath', 'Ripon', 'Nils', 'Mia', 31), (5, 'Ripon', 'Ely', 'Mia', 'Nils', 28),
    (6, 'Ely', 'Ripon', 'Ola', 'Mia', 27),
    (7, 'Ely', 'Bath', 'Ola', 'Mia', 19);
