CREATE TABLE survey ("Timestamp" TIMESTAMP, "How likely are you to recommend us? (0-10)" BIGINT, "Overall satisfaction" VARCHAR, "Which plan are you on?" VARCHAR, "Country" VARCHAR, "Age group" VARCHAR);
INSERT INTO survey
SELECT TIMESTAMP '2024-03-01 10:00:00' + INTERVAL (n * 9) HOUR, [0, 5, 7, 9, 10, 8, 6, 10, 9, 3, 9][1 + n % 11], ['Very satisfied', 'Satisfied', 'Neutral', 'Dissatisfied'][1 + n * 3 % 4],
  ['Free', 'Pro', 'Team'][1 + n // 2 % 3], ['Germany', 'France', 'Spain', 'Italy'][1 + n // 5 % 4], ['18-24', '25-34', '35-44', '45+'][1 + n // 7 % 4]
FROM range(330) AS rows(n);
