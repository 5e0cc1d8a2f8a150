-- As systems export it: short names, no declared keys, flags in three ways, units in names.
CREATE TABLE dim_mbr (
    mbr_id INTEGER, fname VARCHAR, lname VARCHAR, ctry_cd VARCHAR, reg_dt DATE, is_act VARCHAR, nl_flg INTEGER
);
CREATE TABLE fct_vis (
    vis_id INTEGER, mbr_id INTEGER, vis_ts TIMESTAMP, dur_min INTEGER, amt_eur DOUBLE, chnl VARCHAR, wtr_temp_c DOUBLE,
    csat INTEGER
);
CREATE TABLE staff_export (EmpNo VARCHAR PRIMARY KEY, Dept VARCHAR, SalEUR DOUBLE, HireDt DATE, MgrNm VARCHAR);
INSERT INTO dim_mbr SELECT
    n, ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva'][n % 5 + 1], ['Marsh', 'Nolan', 'Olsen', 'Pratt'][n % 4 + 1] || n,
    ['DE', 'FR', 'NL'][n % 3 + 1], DATE '2022-01-01' + CAST(n * 17 AS INTEGER), if(n % 4 > 0, 'Y', 'N'), n % 2
FROM range(1, 41) t(n);
INSERT INTO fct_vis SELECT
    n, n * 7 % 37 + 1, TIMESTAMP '2023-01-01 08:00:00' + INTERVAL (n * 37) HOUR, 20 + n * 13 % 100, 4 + n % 5 * 1.5,
    ['desk', 'app', 'web'][n * n % 3 + 1], 24 + n % 7 * 0.5, n * n % 5 + 1
FROM range(1, 301) t(n);
INSERT INTO staff_export SELECT
    'E' || n, ['Pool', 'Desk', 'Sauna'][n % 3 + 1], 30000 + n * n * 137 % 9000, DATE '2019-03-01' + CAST(n * 61 AS INTEGER),
    ['Ruth', 'Tom'][n % 2 + 1]
FROM range(1, 31) t(n);
CREATE TABLE fct_contract (ctrId INTEGER PRIMARY KEY, mbr_id INTEGER, startDt DATE, endDt DATE, feeEur DOUBLE, st_cd VARCHAR);
INSERT INTO fct_contract SELECT
    n, n * 3 % 40 + 1, DATE '2022-02-01' + CAST(n * 11 AS INTEGER),
    if(n % 3 > 0, DATE '2022-02-01' + CAST(n * 11 + 40 + n % 9 * 30 AS INTEGER), NULL), 20 + n % 4 * 5,
    ['OK', 'OK', 'SUSP', 'ERR'][n % 4 + 1]
FROM range(1, 61) t(n);
