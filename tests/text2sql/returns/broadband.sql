-- A phone company that writes its names without vowels: plans with monthly fees, subscribers, tickets, the reps who signed them up.
CREATE TABLE pln (pln_id INTEGER PRIMARY KEY, pln_nm VARCHAR, pln_tp VARCHAR, mth_fee DECIMAL(8,2));
CREATE TABLE rep (rep_id INTEGER PRIMARY KEY, rep_nm VARCHAR, shop_city VARCHAR, mgr_id INTEGER REFERENCES rep (rep_id));
CREATE TABLE subs (subs_id INTEGER PRIMARY KEY, frst_nm VARCHAR, lst_nm VARCHAR, pln_id INTEGER REFERENCES pln (pln_id), rep_id INTEGER REFERENCES rep (rep_id), strt_dt DATE);
CREATE TABLE tckt (tckt_id INTEGER PRIMARY KEY, subs_id INTEGER REFERENCES subs (subs_id), opn_dt DATE, cls_dt DATE, prio VARCHAR, esc_fl VARCHAR);
INSERT INTO pln SELECT i, 'Plan ' || chr((64 + i)::INTEGER), ['prepaid','postpaid','data'][1 + i % 3], 5 + 7 * i FROM range(1, 10) t(i);
INSERT INTO rep VALUES (1, 'Orla Byrne', 'Cork', NULL), (2, 'Tom Reid', 'Galway', NULL);
INSERT INTO rep SELECT i, 'Seller ' || chr((64 + i)::INTEGER), CASE WHEN i % 2 = 0 THEN 'Cork' ELSE 'Galway' END, 1 + i % 2 FROM range(3, 9) t(i);
INSERT INTO subs SELECT i, 'First' || i, 'Last' || i, 1 + i % 9, 1 + i % 8, DATE '2024-01-05' + CAST(8 * i AS INTEGER) FROM range(1, 61) t(i);
INSERT INTO tckt SELECT i, 1 + (i * i) % 60, DATE '2024-03-01' + CAST(4 * i AS INTEGER), CASE WHEN i % 4 <> 0 THEN DATE '2024-03-03' + CAST(4 * i AS INTEGER) END, ['high','low'][1 + i % 2], CASE WHEN i % 7 = 0 THEN 'Y' ELSE 'N' END FROM range(1, 121) t(i);
