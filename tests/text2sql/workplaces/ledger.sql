CREATE TABLE cust_mst (cust_no INTEGER PRIMARY KEY, cust_nm VARCHAR, blk_flg VARCHAR);
CREATE TABLE so_hdr (
    so_no INTEGER PRIMARY KEY, cust_no INTEGER REFERENCES cust_mst (cust_no), doc_type VARCHAR, doc_dt DATE,
    net_val DOUBLE
);
CREATE TABLE so_item (
    so_no INTEGER REFERENCES so_hdr (so_no), item_no INTEGER, ord_qty INTEGER, rej_rsn VARCHAR, PRIMARY KEY (so_no, item_no)
);
INSERT INTO cust_mst SELECT n, 'Customer ' || n, CASE WHEN n % 7 = 0 THEN 'X' END FROM range(1, 41) t(n);
INSERT INTO so_hdr SELECT n, n % 40 + 1, ['OR', 'RE'][n % 5 // 4 + 1], DATE '2025-01-01' + CAST(n AS INTEGER), n * 37 % 900
FROM range(1, 301) t(n);
INSERT INTO so_item SELECT n, i, (n + i) % 9 + 1, CASE WHEN (n + i) % 10 = 0 THEN 'late' END
FROM range(1, 301) a(n), range(1, 4) b(i) WHERE i <= n % 3 + 1;
