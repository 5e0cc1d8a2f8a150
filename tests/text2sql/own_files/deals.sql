CREATE TABLE deals ("Deal Name" VARCHAR PRIMARY KEY, "Deal Stage" VARCHAR, "Amount" BIGINT, "Close Date" DATE, "Create Date" DATE, "Deal owner" VARCHAR, "Company" VARCHAR, "Lead Source" VARCHAR, "Probability" BIGINT, "Lost Reason" VARCHAR, "Region" VARCHAR);
INSERT INTO deals
WITH told AS (SELECT n, CASE n % 8 WHEN 0 THEN 'Prospecting' WHEN 1 THEN 'Proposal' WHEN 2 THEN 'Negotiation' WHEN 3 THEN 'Closed Won' WHEN 4 THEN 'Closed Won' WHEN 5 THEN 'Closed Lost' WHEN 6 THEN 'Closed Won' ELSE 'Closed Lost' END AS stage FROM range(160) AS rows(n))
SELECT 'Deal ' || CAST(n + 1 AS VARCHAR), stage, 1000 + (n * 37) % 900 * 10, DATE '2023-02-01' + CAST(n * 4 + n * 7 % 30 AS INTEGER), DATE '2023-01-02' + CAST(n * 4 AS INTEGER),
  ['Sara Lind', 'Ben Ochoa', 'Mia Falk'][1 + (n // 3) % 3], 'Company ' || CAST(n * 7 % 41 AS VARCHAR), ['Inbound', 'Referral', 'Event'][1 + n * 5 % 3],
  CASE stage WHEN 'Prospecting' THEN 10 WHEN 'Proposal' THEN 50 WHEN 'Negotiation' THEN 75 WHEN 'Closed Won' THEN 100 ELSE 0 END,
  CASE WHEN stage = 'Closed Lost' THEN ['Price', 'Timing', 'Competitor'][1 + n % 3] END, ['EMEA', 'AMER', 'APAC'][1 + n * 11 % 3]
FROM told;
