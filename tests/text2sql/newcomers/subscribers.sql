CREATE TABLE telco_churn (
    customerID VARCHAR, gender VARCHAR, SeniorCitizen BIGINT, Partner BOOLEAN, PaperlessBilling BOOLEAN, Contract VARCHAR,
    tenure BIGINT, MonthlyCharges DOUBLE, Churn BOOLEAN
);
INSERT INTO telco_churn SELECT
    lpad(CAST(n * 37 % 9973 AS VARCHAR), 4, '0') || '-QX' || n, ['Female', 'Male'][n % 2 + 1],
    CAST(n % 6 = 0 AS BIGINT), n % 2 = 0, n % 5 < 3, ['Month-to-month', 'One year', 'Two year'][n % 3 + 1],
    n % 72, 20 + n * 17 % 95, n % 7 < 2
FROM range(1, 401) t(n);
