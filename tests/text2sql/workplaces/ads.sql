CREATE TABLE campaigns (campaign_id INTEGER PRIMARY KEY, campaign_name VARCHAR, platform VARCHAR);
CREATE TABLE ad_stats (
    stat_date DATE, campaign_id INTEGER REFERENCES campaigns (campaign_id), impr INTEGER, clicks INTEGER, spend DOUBLE,
    conv INTEGER, conv_value DOUBLE
);
INSERT INTO campaigns SELECT n, 'Campaign ' || n, ['Gram', 'Tube', 'Find'][n % 3 + 1] FROM range(1, 13) t(n);
INSERT INTO ad_stats SELECT
    DATE '2025-01-01' + CAST(d AS INTEGER), c, 1000 + (c * 31 + d * 7) % 900, 10 + (c * 5 + d) % 40,
    5 + (c * 3 + d * 11) % 60, (c + d) % 5, (c + d) % 5 * (20 + c)
FROM range(1, 13) a(c), range(0, 90) b(d);
CREATE TABLE budgets (
    campaign_id INTEGER REFERENCES campaigns (campaign_id), budget_month DATE, planned_spend DOUBLE,
    PRIMARY KEY (campaign_id, budget_month)
);
INSERT INTO budgets SELECT c, DATE '2025-01-01' + to_months(m), 500 + c * 40 + m * 10 FROM range(1, 13) a(c), range(0, 3) b(m);
