CREATE TABLE readings ("Start" TIMESTAMP, "Consumption (kWh)" DOUBLE, "Unit Rate (p)" DOUBLE, "Tariff" VARCHAR);
INSERT INTO readings
SELECT TIMESTAMP '2024-01-01' + INTERVAL (n * 30) MINUTE, round(0.1 + 0.02 * ((n % 48) % 7) + 0.001 * (n % 31), 3),
  CASE WHEN n % 48 < 10 THEN 7.5 ELSE 28.6 END, CASE WHEN n < 4368 THEN 'Go' ELSE 'Agile' END
FROM range(48 * 150) AS rows(n);
