-- A chain of pharmacies as an old system keeps it: masters and headers, names cut short, states as letters.
CREATE TABLE br_mst (br_cd VARCHAR PRIMARY KEY, br_nm VARCHAR, cty VARCHAR, opn_dt DATE);
CREATE TABLE cust_mst (cust_no INTEGER PRIMARY KEY, lst_nm VARCHAR, fst_nm VARCHAR, brth_dt DATE, alrg_flg VARCHAR, loy_pts INTEGER, sts VARCHAR);
CREATE TABLE doc_mst (doc_no INTEGER PRIMARY KEY, doc_nm VARCHAR, spec VARCHAR);
CREATE TABLE itm_mst (itm_cd VARCHAR PRIMARY KEY, itm_dsc VARCHAR, rfg_flg VARCHAR);
CREATE TABLE rx_hdr (rx_no INTEGER PRIMARY KEY, br_cd VARCHAR REFERENCES br_mst (br_cd), cust_no INTEGER REFERENCES cust_mst (cust_no), doc_no INTEGER REFERENCES doc_mst (doc_no), fil_dt DATE, sts VARCHAR, ins_amt DECIMAL(8,2));
INSERT INTO br_mst VALUES ('001', 'Penn Avenue', 'Pittsburgh', DATE '1987-05-04'), ('002', 'Squirrel Hill', 'Pittsburgh', DATE '1991-09-16'), ('003', 'Monroeville', 'Monroeville', DATE '2001-10-01');
INSERT INTO cust_mst SELECT i, 'LAST' || i, 'FIRST' || i, DATE '1930-01-01' + CAST(400 * i AS INTEGER), CASE WHEN i % 5 = 0 THEN 'Y' ELSE 'N' END, 30 * i, ['A','A','I','D'][1 + i % 4] FROM range(1, 71) t(i);
INSERT INTO doc_mst SELECT i, 'Dr ' || chr((64 + i)::INTEGER), ['Cardiology','Family Medicine'][1 + i % 2] FROM range(1, 12) t(i);
INSERT INTO itm_mst SELECT 'I' || i, 'ITEM ' || i, CASE WHEN i % 4 = 0 THEN 'Y' ELSE 'N' END FROM range(1, 21) t(i);
INSERT INTO rx_hdr SELECT i, '00' || (1 + i % 3), 1 + i % 70, 1 + i % 11, CASE WHEN i % 8 <> 0 THEN DATE '2023-09-01' + CAST(2 * i AS INTEGER) END, ['E','F','P','C'][1 + i % 4], 10 + i FROM range(1, 271) t(i);
