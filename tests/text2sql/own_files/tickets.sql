CREATE TABLE tickets ("Ticket ID" BIGINT PRIMARY KEY, "Created" TIMESTAMP, "First Response" TIMESTAMP, "Resolved" TIMESTAMP, "Priority" VARCHAR, "Status" VARCHAR, "Category" VARCHAR, "Agent" VARCHAR, "Reopened" BOOLEAN);
INSERT INTO tickets
SELECT n, TIMESTAMP '2024-01-02 08:00:00' + INTERVAL (n * 11) HOUR, TIMESTAMP '2024-01-02 08:20:00' + INTERVAL (n * 11 * 60 + n % 90) MINUTE,
  CASE WHEN n % 6 > 0 THEN TIMESTAMP '2024-01-02 12:00:00' + INTERVAL (n * 11 + n * 7 % 120) HOUR END, ['Low', 'Normal', 'Urgent'][1 + n % 3],
  CASE WHEN n % 6 > 0 THEN 'Resolved' WHEN n % 12 = 0 THEN 'Open' ELSE 'On hold' END, ['Billing', 'Bug', 'How-to'][1 + n // 2 % 3], ['Ines', 'Jorge', 'Kofi'][1 + n // 5 % 3], n % 13 = 0
FROM range(1, 241) AS rows(n);
