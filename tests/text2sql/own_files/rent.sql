CREATE TABLE rent_roll ("Unit" VARCHAR PRIMARY KEY, "Building" VARCHAR, "Bedrooms" BIGINT, "Tenant" VARCHAR, "Monthly Rent" BIGINT, "Status" VARCHAR);
INSERT INTO rent_roll SELECT 'U-' || CAST(100 + n AS VARCHAR), ['Maple House', 'Elm Court'][1 + n % 2], n % 4, CASE WHEN n % 7 > 0 THEN 'Tenant ' || CAST(n AS VARCHAR) END, 800 + n * 37 % 900,
  CASE WHEN n % 7 > 0 THEN 'Occupied' ELSE 'Vacant' END FROM range(1, 61) AS rows(n);
