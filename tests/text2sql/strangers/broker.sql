CREATE TABLE insurers (insurer_id INTEGER PRIMARY KEY, insurer_name TEXT, country TEXT, credit_rating TEXT, commission_pct DECIMAL(4, 1));
INSERT INTO insurers VALUES (1, 'Northgate Mutual', 'United Kingdom', 'A', 12.5), (2, 'Helvion', 'Switzerland', 'AA', 10.0),
  (3, 'Castle & Quay', 'United Kingdom', 'BBB', 17.5), (4, 'Brightwater', 'Ireland', 'A', 15.0), (5, 'Oakfield Re', 'Germany', 'AA', 8.0);
CREATE TABLE products (product_id INTEGER PRIMARY KEY, product_name TEXT, line_of_business TEXT, insurer_id INTEGER REFERENCES insurers);
INSERT INTO products VALUES (1, 'Motor Comprehensive', 'Motor', 1), (2, 'Motor Third Party', 'Motor', 3), (3, 'Home Plus', 'Home', 2),
  (4, 'Landlord Cover', 'Home', 4), (5, 'Annual Travel', 'Travel', 4), (6, 'Small Business Package', 'Commercial', 1),
  (7, 'Professional Indemnity', 'Commercial', 2), (8, 'Pet Care', 'Pet', 3), (9, 'Yacht', 'Marine', 4);
CREATE TABLE agents (agent_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, branch TEXT, hire_date DATE, manager_id INTEGER REFERENCES agents (agent_id));
INSERT INTO agents VALUES (1, 'Moira', 'Keane', 'Leeds', '2014-03-03', NULL);
INSERT INTO agents VALUES (2, 'Tom', 'Brandt', 'Leeds', '2017-09-11', 1),
  (3, 'Aisha', 'Rahman', 'Bristol', '2019-01-07', 1), (4, 'Piotr', 'Nowak', 'Bristol', '2021-05-17', 1), (5, 'Lena', 'Okafor', 'Leeds', '2022-08-01', 1),
  (6, 'Declan', 'Shaw', 'York', '2024-02-05', 1), (7, 'Sofia', 'Marsh', 'York', '2025-04-14', 1);
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, customer_name TEXT, customer_type TEXT, city TEXT, date_of_birth DATE, customer_since DATE, email TEXT);
INSERT INTO customers
  SELECT i,
    CASE WHEN i % 5 = 0 THEN ['Hadley Joinery', 'Fern Street Dental', 'Rowe & Sons', 'Blue Kettle Cafe', 'Pennine Haulage', 'Arkwright Print', 'Moss Lane Vets', 'Tidewell Boats'][i // 5]
      ELSE ['Ann', 'Ben', 'Cara', 'Dev', 'Ella', 'Finn', 'Gina', 'Hugo'][1 + i % 8] || ' ' || ['Archer', 'Boyle', 'Cole', 'Dunn', 'Eames', 'Frost', 'Gray'][1 + i % 7] END,
    CASE WHEN i % 5 = 0 THEN 'Business' ELSE 'Private' END,
    ['Leeds', 'Bristol', 'York', 'Hull', 'Bath', 'Leeds'][1 + (i * 5) % 6],
    CASE WHEN i % 5 > 0 THEN DATE '1950-02-11' + (i * 617) % 19000 END,
    DATE '2021-02-01' + (i * 137) % 1590,
    CASE WHEN i % 4 > 0 THEN 'c' || i || '@example.com' END
  FROM (SELECT unnest(range(1, 40 + 1))::INTEGER AS i);
CREATE TABLE policies (policy_id INTEGER PRIMARY KEY, policy_number TEXT, customer_id INTEGER REFERENCES customers, product_id INTEGER REFERENCES products,
  agent_id INTEGER REFERENCES agents, status TEXT, start_date DATE, end_date DATE, renewal_date DATE, cancelled_date DATE, annual_premium DECIMAL(9, 2),
  sum_insured DECIMAL(12, 2), payment_frequency TEXT);
INSERT INTO policies
  SELECT i, 'POL-' || (10000 + i), c, p, a,
    CASE WHEN cancelled THEN 'Cancelled' WHEN s + INTERVAL 1 YEAR > DATE '2025-06-30' THEN 'Active' WHEN i % 3 = 0 THEN 'Lapsed' ELSE 'Renewed' END,
    s, (s + INTERVAL 1 YEAR - INTERVAL 1 DAY)::DATE,
    CASE WHEN NOT cancelled AND (s + INTERVAL 1 YEAR > DATE '2025-06-30' OR i % 3 > 0) THEN (s + INTERVAL 1 YEAR)::DATE END,
    CASE WHEN cancelled THEN s + 40 + (i * 13) % 90 END,
    140 + (i * 97) % 610 + CASE WHEN p IN (6, 7) THEN 1200 ELSE 0 END + (i % 4) * 0.25,
    CASE WHEN p = 5 THEN NULL ELSE 5000 * (1 + (i * 7) % 60) END,
    CASE WHEN i % 3 = 1 THEN 'Monthly' WHEN i % 7 = 0 THEN 'Quarterly' ELSE 'Annual' END
  FROM (SELECT i, 1 + (i * 11 + i // 9) % 36 AS c, 1 + (i * 5 + i // 7) % 8 AS p, 1 + (i * i + i // 4) % 6 AS a,
      DATE '2022-11-07' + (i * 961) // 130 AS s, i % 11 = 4 AND i < 118 AS cancelled FROM (SELECT unnest(range(1, 130 + 1))::INTEGER AS i));
CREATE TABLE claims (claim_id INTEGER PRIMARY KEY, policy_id INTEGER REFERENCES policies, claim_status TEXT, cause TEXT, incident_date DATE, reported_date DATE,
  settled_date DATE, claimed_amount DECIMAL(10, 2), paid_amount DECIMAL(10, 2), handler TEXT);
INSERT INTO claims
  SELECT i, pid,
    CASE WHEN open THEN 'Open' WHEN i % 6 = 5 THEN 'Rejected' WHEN i % 19 = 9 THEN 'Withdrawn' ELSE 'Settled' END,
    ['Collision', 'Water damage', 'Theft', 'Storm', 'Fire', 'Illness', 'Glass'][1 + (i * i + i // 5) % 7],
    r - (i * 7) % 23, r,
    CASE WHEN open OR i % 6 = 5 OR i % 19 = 9 THEN NULL ELSE least(r + 6 + (i * 29) % 83, DATE '2025-06-27') END,
    220 + (i * 389) % 5200,
    CASE WHEN open OR i % 6 = 5 OR i % 19 = 9 THEN NULL ELSE round((220 + (i * 389) % 5200) * (0.6 + (i % 5) / 10.0), 2) END,
    CASE WHEN i % 13 > 0 THEN ['Priya', 'Gareth', 'Noor'][1 + i % 3] END
  FROM (SELECT i, pid, least(start_date + 20 + (i * 31) % 280, DATE '2025-06-28') AS r, least(start_date + 20 + (i * 31) % 280, DATE '2025-06-28') > '2025-04-20' OR i % 17 = 0 AS open
    FROM (SELECT i, 1 + (i * i * 5 + i * 3) % 127 AS pid FROM (SELECT unnest(range(1, 90 + 1))::INTEGER AS i)) JOIN policies ON policy_id = pid);
CREATE TABLE premium_payments (payment_id INTEGER PRIMARY KEY, policy_id INTEGER REFERENCES policies, due_date DATE, paid_date DATE, amount DECIMAL(9, 2), method TEXT);
INSERT INTO premium_payments
  SELECT row_number() OVER (ORDER BY due, policy_id), policy_id, due,
    CASE WHEN (policy_id * 7 + k * 5) % 29 = 0 OR due > '2025-06-30' THEN NULL WHEN (policy_id + k) % 6 = 0 THEN least(due + 4 + policy_id % 17, DATE '2025-06-30') ELSE due - policy_id % 3 END,
    round(annual_premium / n, 2), ['Direct debit', 'Card', 'Bank transfer'][1 + (policy_id * 2 + k // 7) % 3]
  FROM (SELECT policy_id, annual_premium, n, k, (start_date + to_months((k * 12 // n)::INTEGER))::DATE AS due, coalesce(cancelled_date, end_date) AS stop
    FROM (SELECT *, CASE payment_frequency WHEN 'Monthly' THEN 12 WHEN 'Quarterly' THEN 4 ELSE 1 END AS n FROM policies), (SELECT unnest(range(0, 12))::INTEGER AS k) WHERE k < n)
  WHERE due <= stop AND due <= '2025-07-15';
