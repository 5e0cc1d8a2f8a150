CREATE TABLE members (member_id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR, joined_on DATE);
CREATE TABLE tools (tool_id INTEGER PRIMARY KEY, title VARCHAR, kind VARCHAR);
CREATE TABLE loans (
    loan_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members (member_id), tool_id INTEGER REFERENCES tools (tool_id),
    loan_date DATE, return_date DATE, amount DOUBLE
);
INSERT INTO members
SELECT n, 'Member ' || n, ['Turku', 'Vaasa', 'Kotka'][n % 3 + 1], DATE '2021-11-01' + CAST(n * 3 AS INTEGER) FROM range(1, 25) t(n);
INSERT INTO tools SELECT n, 'Tool ' || n, ['Saw', 'Drill', 'Ladder'][n % 3 + 1] FROM range(1, 13) t(n);
INSERT INTO loans
SELECT n, n * n % 23 + 1, n * 5 % 12 + 1, DATE '2022-02-01' + CAST(n * 3 AS INTEGER),
    CASE WHEN n % 9 > 0 THEN DATE '2022-02-01' + CAST(n * 3 + n * 7 % 30 + 1 AS INTEGER) END, 5 + n * 11 % 37
FROM range(230) t(n);
