-- A help desk: moments with hours, contracts with a begin and an end, an answer of three words.
CREATE TABLE clients (client_id INTEGER PRIMARY KEY, client_name VARCHAR, region VARCHAR, subscribed VARCHAR);
CREATE TABLE contracts (
    contract_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (client_id), start_dt DATE, end_dt DATE,
    fee_eur DOUBLE
);
CREATE TABLE cases (
    case_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (client_id), opened_at TIMESTAMP,
    closed_at TIMESTAMP, prio VARCHAR, status VARCHAR
);
CREATE TABLE outages (
    outage_id INTEGER PRIMARY KEY, region VARCHAR, begin_ts TIMESTAMP, end_ts TIMESTAMP, cause VARCHAR
);
INSERT INTO clients SELECT n, 'Client ' || n, ['North', 'South'][n % 2 + 1], ['Yes', 'No', 'Not sure'][n % 3 + 1]
FROM range(1, 15) t(n);
INSERT INTO contracts SELECT
    n, n, DATE '2023-01-10' + CAST(n * 20 AS INTEGER),
    if(n % 3 = 0, DATE '2023-06-10' + CAST(n * 20 AS INTEGER), NULL), 100 + n * 10
FROM range(1, 15) t(n);
INSERT INTO cases SELECT
    n, n % 12 + 1, TIMESTAMP '2024-02-01 06:15:00' + to_minutes(CAST(n * 397 AS INTEGER)),
    if(n % 5 = 0, NULL, TIMESTAMP '2024-02-01 06:15:00' + to_minutes(CAST(n * 397 + n * 83 % 3000 AS INTEGER))),
    ['P1', 'P2'][n % 2 + 1], if(n % 5 = 0, 'open', 'closed')
FROM range(1, 81) t(n);
INSERT INTO outages SELECT
    n, ['North', 'South'][n % 2 + 1], TIMESTAMP '2024-02-01 00:00:00' + to_hours(CAST(n * 7 AS INTEGER)),
    TIMESTAMP '2024-02-01 00:00:00' + to_minutes(CAST(n * 420 + n * 31 % 500 AS INTEGER)), ['power', 'line'][n % 2 + 1]
FROM range(1, 31) t(n);
