CREATE TABLE hr_attrition (
    Age BIGINT, Attrition BOOLEAN, DailyRate BIGINT, Department VARCHAR, EmployeeNumber BIGINT, HourlyRate BIGINT,
    JobRole VARCHAR, MonthlyIncome BIGINT, MonthlyRate BIGINT, PercentSalaryHike BIGINT, TotalWorkingYears BIGINT
);
INSERT INTO hr_attrition SELECT
    20 + n * 7 % 40, n % 6 = 0, 200 + n * 31 % 900, ['Sales', 'Research', 'Human Resources'][n % 3 + 1], n * 3 + 1,
    30 + n * 11 % 70, ['Executive', 'Scientist', 'Manager', 'Technician'][n % 4 + 1],
    2000 + n % 3 * 300 + n % 4 * 900 + n * 13 % 800, 2000 + n * 97 % 20000, 11 + n * 5 % 14, n * 5 % 35
FROM range(1, 241) t(n);
