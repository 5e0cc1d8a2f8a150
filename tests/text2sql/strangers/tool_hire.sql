CREATE TABLE tool (tool_id INTEGER PRIMARY KEY, tool_nm VARCHAR, retd_flg VARCHAR);
INSERT INTO tool SELECT n, 'Tool ' || n, CASE WHEN n % 4 = 0 THEN 'Y' ELSE 'N' END FROM range(1, 13) t(n);
CREATE TABLE hire (
    hire_id INTEGER PRIMARY KEY, tool_id INTEGER REFERENCES tool (tool_id), depot VARCHAR, stat VARCHAR, out_dt DATE, ret_dt DATE
);
INSERT INTO hire SELECT
    n, n % 12 + 1, ['North', 'South', 'West'][n % 3 + 1], ['returned', 'returned', 'cancelled', 'out', 'reserved'][n % 5 + 1],
    DATE '2024-01-01' + CAST(n * 5 AS INTEGER), CASE WHEN n % 5 < 2 THEN DATE '2024-01-04' + CAST(n * 5 AS INTEGER) END
FROM range(1, 61) t(n);
