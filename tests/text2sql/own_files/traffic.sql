CREATE TABLE traffic (date DATE, source_medium VARCHAR, device VARCHAR, sessions BIGINT, users BIGINT, new_users BIGINT, bounce_rate DOUBLE, transactions BIGINT, revenue DOUBLE);
INSERT INTO traffic
SELECT DATE '2024-01-01' + CAST(n // 4 AS INTEGER), CASE WHEN n % 4 < 2 THEN 'google / organic' ELSE 'newsletter / email' END, CASE n % 2 WHEN 0 THEN 'desktop' ELSE 'mobile' END,
  200 + n % 53, 150 + n % 47, 80 + n % 31, 0.4 + (n % 20) / 100, 3 + n % 5, 120 + (n * 13) % 97
FROM range(600) AS rows(n);
