-- a warehouse: members for the unknown, tours in versions
CREATE TABLE dim_guest (guest_sk INTEGER PRIMARY KEY, guest_name VARCHAR, country VARCHAR);
INSERT INTO dim_guest VALUES
    (-1, 'Unknown', NULL), (1, 'Mara Ott', 'Austria'), (2, 'Nils Berg', 'Sweden'), (3, 'Olga Ruiz', 'Spain'),
    (4, 'Pia Lang', 'Austria');
CREATE TABLE dim_voucher (voucher_sk INTEGER PRIMARY KEY, voucher_name VARCHAR, percent_off INTEGER);
INSERT INTO dim_voucher VALUES (0, 'No Voucher', 0), (1, 'Early Bird', 10), (2, 'Autumn', 15);
CREATE TABLE dim_tour (
    tour_sk INTEGER PRIMARY KEY, tour_nk VARCHAR, tour_name VARCHAR, region VARCHAR, list_price INTEGER,
    valid_from DATE, valid_to DATE, is_current BOOLEAN
);
INSERT INTO dim_tour VALUES
    (1, 'T-1', 'Glacier Walk', 'Alps', 90, '2022-01-01', '2022-12-31', FALSE),
    (2, 'T-1', 'Glacier Walk', 'Alps', 95, '2023-01-01', '9999-12-31', TRUE),
    (3, 'T-2', 'Harbour Cruise', 'Coast', 40, '2022-01-01', '9999-12-31', TRUE),
    (4, 'T-3', 'Cave Dive', 'Coast', 120, '2022-01-01', '2022-06-30', FALSE),
    (5, 'T-3', 'Cave Dive', 'Coast', 130, '2022-07-01', '2023-06-30', FALSE),
    (6, 'T-3', 'Cave Dive', 'Coast', 150, '2023-07-01', '9999-12-31', TRUE),
    (7, 'T-4', 'Old Mill', 'Alps', 20, '2022-01-01', '2023-03-31', FALSE),
    (8, 'T-5', 'Moor Hike', 'Alps', 30, '2022-01-01', '2022-12-31', FALSE),
    (9, 'T-5', 'Moor Hike', 'Alps', 35, '2023-01-01', '9999-12-31', TRUE);
CREATE TABLE fct_bookings (
    booking_id INTEGER PRIMARY KEY, tour_sk INTEGER REFERENCES dim_tour (tour_sk),
    guest_sk INTEGER REFERENCES dim_guest (guest_sk), voucher_sk INTEGER REFERENCES dim_voucher (voucher_sk),
    booked_on DATE, seats INTEGER, amount INTEGER
);
INSERT INTO fct_bookings VALUES
    (1, 1, 1, 0, '2022-03-01', 2, 180), (2, 2, 2, 1, '2023-02-01', 1, 85), (3, 3, -1, 0, '2023-02-11', 4, 160),
    (4, 4, 3, 0, '2022-05-01', 1, 120), (5, 6, 1, 2, '2023-08-01', 2, 255), (6, 3, 2, 0, '2023-09-01', 2, 80),
    (7, 7, -1, 0, '2022-04-01', 10, 900), (8, 6, 3, 0, '2023-09-09', 3, 450);
