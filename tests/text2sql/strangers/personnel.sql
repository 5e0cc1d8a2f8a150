CREATE TABLE departments (
  department_id INTEGER PRIMARY KEY,
  department_name VARCHAR NOT NULL,
  cost_center VARCHAR,
  location VARCHAR,
  annual_budget DECIMAL(12,2)
);
CREATE TABLE employees (
  employee_id INTEGER PRIMARY KEY,
  first_name VARCHAR NOT NULL,
  last_name VARCHAR NOT NULL,
  email VARCHAR,
  gender VARCHAR,
  birth_date DATE,
  hire_date DATE NOT NULL,
  termination_date DATE,
  termination_reason VARCHAR,
  job_title VARCHAR,
  employment_type VARCHAR,
  annual_salary DECIMAL(10,2),
  bonus DECIMAL(10,2),
  department_id INTEGER REFERENCES departments(department_id),
  manager_id INTEGER REFERENCES employees(employee_id)
);
CREATE TABLE absence_types (
  absence_type_id INTEGER PRIMARY KEY,
  type_name VARCHAR,
  is_paid BOOLEAN
);
CREATE TABLE leave_requests (
  leave_request_id INTEGER PRIMARY KEY,
  employee_id INTEGER NOT NULL REFERENCES employees(employee_id),
  absence_type_id INTEGER NOT NULL REFERENCES absence_types(absence_type_id),
  requested_on DATE NOT NULL,
  start_date DATE NOT NULL,
  end_date DATE NOT NULL,
  days_off INTEGER NOT NULL,
  status VARCHAR NOT NULL
);
CREATE TABLE job_openings (
  opening_id INTEGER PRIMARY KEY,
  position_title VARCHAR NOT NULL,
  department_id INTEGER REFERENCES departments(department_id),
  recruiter_id INTEGER REFERENCES employees(employee_id),
  opened_on DATE NOT NULL,
  target_fill_date DATE,
  filled_on DATE,
  status VARCHAR NOT NULL,
  salary_min DECIMAL(10,2),
  salary_max DECIMAL(10,2)
);
CREATE TABLE applicants (
  applicant_id INTEGER PRIMARY KEY,
  opening_id INTEGER NOT NULL REFERENCES job_openings(opening_id),
  full_name VARCHAR NOT NULL,
  city VARCHAR,
  source VARCHAR,
  applied_on DATE NOT NULL,
  stage VARCHAR NOT NULL,
  rejected_on DATE,
  expected_salary DECIMAL(10,2)
);
CREATE TABLE trainings (
  training_id INTEGER PRIMARY KEY,
  training_title VARCHAR,
  category VARCHAR,
  provider VARCHAR,
  duration_hours INTEGER,
  cost_per_seat DECIMAL(8,2),
  is_mandatory BOOLEAN
);
CREATE TABLE training_enrollments (
  enrollment_id INTEGER PRIMARY KEY,
  training_id INTEGER NOT NULL REFERENCES trainings(training_id),
  employee_id INTEGER NOT NULL REFERENCES employees(employee_id),
  enrolled_on DATE NOT NULL,
  completed_on DATE,
  score INTEGER
);
INSERT INTO departments VALUES
 (1,'Engineering','CC-100','Hamburg',2400000),(2,'Sales','CC-200','Munich',1500000),(3,'Marketing','CC-300','Munich',800000),
 (4,'Finance','CC-400','Hamburg',700000),(5,'Human Resources','CC-500','Hamburg',400000),(6,'Operations','CC-600','Leipzig',1300000),
 (7,'Legal','CC-700','Hamburg',NULL);
INSERT INTO employees
SELECT i,
 (['Anna','Ben','Clara','David','Elena','Felix','Greta','Henrik','Ines','Jonas','Katja','Lukas','Marta','Nils','Olga','Paul','Ruth','Simon','Tara','Ulf','Vera','Wim','Yara'])[1 + (i*7) % 23],
 (['Albers','Bauer','Conrad','Dietz','Engel','Fuchs','Graf','Hahn','Iversen','Jung','Keller','Lorenz','Moser','Neumann','Otto','Peters','Quast','Richter','Sommer'])[1 + (i*5) % 19],
 CASE WHEN i % 13 = 5 THEN NULL ELSE 'e' || i || '@nordwerk.example' END,
 CASE WHEN i % 29 = 11 THEN NULL WHEN (i*3) % 7 < 3 THEN 'female' ELSE 'male' END,
 DATE '1962-03-04' + CAST((i * 397) % 14000 AS INTEGER),
 CASE WHEN i <= 8 THEN DATE '2017-02-01' + CAST(i * 41 AS INTEGER) ELSE DATE '2018-05-02' + CAST((i * 137) % 2640 AS INTEGER) END,
 NULL, NULL,
 CASE WHEN i = 1 THEN 'CEO' WHEN i <= 7 THEN 'Head of Department'
   ELSE (['Software Engineer','Account Executive','Marketing Specialist','Accountant','Recruiter','Logistics Coordinator','Senior Software Engineer','Data Analyst'])[1 + (i*3) % 8] END,
 CASE WHEN i % 9 = 4 THEN 'part-time' WHEN i % 17 = 6 THEN 'contractor' ELSE 'full-time' END,
 CASE WHEN i = 1 THEN 210000 WHEN i <= 7 THEN 110000 + i * 2500 ELSE 38000 + ((i * 2917) % 52000) END,
 CASE WHEN i % 3 = 0 THEN NULL ELSE 1000 + (i * 731) % 9000 END,
 CASE WHEN i = 1 THEN NULL WHEN i <= 7 THEN i - 1 ELSE 1 + ((i * 7 + i // 5) % 13) % 6 END,
 CASE WHEN i = 1 THEN NULL WHEN i <= 7 THEN 1 ELSE 2 + ((i * 7 + i // 5) % 13) % 6 END
FROM generate_series(1, 1) t(i);
INSERT INTO employees
SELECT i,
 (['Anna','Ben','Clara','David','Elena','Felix','Greta','Henrik','Ines','Jonas','Katja','Lukas','Marta','Nils','Olga','Paul','Ruth','Simon','Tara','Ulf','Vera','Wim','Yara'])[1 + (i*7) % 23],
 (['Albers','Bauer','Conrad','Dietz','Engel','Fuchs','Graf','Hahn','Iversen','Jung','Keller','Lorenz','Moser','Neumann','Otto','Peters','Quast','Richter','Sommer'])[1 + (i*5) % 19],
 CASE WHEN i % 13 = 5 THEN NULL ELSE 'e' || i || '@nordwerk.example' END,
 CASE WHEN i % 29 = 11 THEN NULL WHEN (i*3) % 7 < 3 THEN 'female' ELSE 'male' END,
 DATE '1962-03-04' + CAST((i * 397) % 14000 AS INTEGER),
 CASE WHEN i <= 8 THEN DATE '2017-02-01' + CAST(i * 41 AS INTEGER) ELSE DATE '2018-05-02' + CAST((i * 137) % 2640 AS INTEGER) END,
 NULL, NULL,
 CASE WHEN i = 1 THEN 'CEO' WHEN i <= 7 THEN 'Head of Department'
   ELSE (['Software Engineer','Account Executive','Marketing Specialist','Accountant','Recruiter','Logistics Coordinator','Senior Software Engineer','Data Analyst'])[1 + (i*3) % 8] END,
 CASE WHEN i % 9 = 4 THEN 'part-time' WHEN i % 17 = 6 THEN 'contractor' ELSE 'full-time' END,
 CASE WHEN i = 1 THEN 210000 WHEN i <= 7 THEN 110000 + i * 2500 ELSE 38000 + ((i * 2917) % 52000) END,
 CASE WHEN i % 3 = 0 THEN NULL ELSE 1000 + (i * 731) % 9000 END,
 CASE WHEN i = 1 THEN NULL WHEN i <= 7 THEN i - 1 ELSE 1 + ((i * 7 + i // 5) % 13) % 6 END,
 CASE WHEN i = 1 THEN NULL WHEN i <= 7 THEN 1 ELSE 2 + ((i * 7 + i // 5) % 13) % 6 END
FROM generate_series(2, 7) t(i);
INSERT INTO employees
SELECT i,
 (['Anna','Ben','Clara','David','Elena','Felix','Greta','Henrik','Ines','Jonas','Katja','Lukas','Marta','Nils','Olga','Paul','Ruth','Simon','Tara','Ulf','Vera','Wim','Yara'])[1 + (i*7) % 23],
 (['Albers','Bauer','Conrad','Dietz','Engel','Fuchs','Graf','Hahn','Iversen','Jung','Keller','Lorenz','Moser','Neumann','Otto','Peters','Quast','Richter','Sommer'])[1 + (i*5) % 19],
 CASE WHEN i % 13 = 5 THEN NULL ELSE 'e' || i || '@nordwerk.example' END,
 CASE WHEN i % 29 = 11 THEN NULL WHEN (i*3) % 7 < 3 THEN 'female' ELSE 'male' END,
 DATE '1962-03-04' + CAST((i * 397) % 14000 AS INTEGER),
 CASE WHEN i <= 8 THEN DATE '2017-02-01' + CAST(i * 41 AS INTEGER) ELSE DATE '2018-05-02' + CAST((i * 137) % 2640 AS INTEGER) END,
 NULL, NULL,
 CASE WHEN i = 1 THEN 'CEO' WHEN i <= 7 THEN 'Head of Department'
   ELSE (['Software Engineer','Account Executive','Marketing Specialist','Accountant','Recruiter','Logistics Coordinator','Senior Software Engineer','Data Analyst'])[1 + (i*3) % 8] END,
 CASE WHEN i % 9 = 4 THEN 'part-time' WHEN i % 17 = 6 THEN 'contractor' ELSE 'full-time' END,
 CASE WHEN i = 1 THEN 210000 WHEN i <= 7 THEN 110000 + i * 2500 ELSE 38000 + ((i * 2917) % 52000) END,
 CASE WHEN i % 3 = 0 THEN NULL ELSE 1000 + (i * 731) % 9000 END,
 CASE WHEN i = 1 THEN NULL WHEN i <= 7 THEN i - 1 ELSE 1 + ((i * 7 + i // 5) % 13) % 6 END,
 CASE WHEN i = 1 THEN NULL WHEN i <= 7 THEN 1 ELSE 2 + ((i * 7 + i // 5) % 13) % 6 END
FROM generate_series(8, 84) t(i);
UPDATE employees SET termination_date = hire_date + 120 + CAST((employee_id * 211) % 1500 AS INTEGER),
  termination_reason = (['resigned','resigned','dismissed','retired','end of contract'])[1 + (employee_id * 3) % 5]
WHERE employee_id > 8 AND employee_id % 3 = 1 AND hire_date + 120 + CAST((employee_id * 211) % 1500 AS INTEGER) <= DATE '2025-09-26';
INSERT INTO absence_types VALUES (1,'Annual leave',true),(2,'Sick leave',true),(3,'Parental leave',true),(4,'Unpaid leave',false),(5,'Training day',true);
INSERT INTO leave_requests
SELECT i, 2 + (i * 31) % 80, (ARRAY[1,2,1,2,1,4,2,1,3,1])[1 + (i*7) % 10],
 DATE '2023-01-09' + CAST((i * 53) % 960 AS INTEGER) - CAST((i * 11) % 30 AS INTEGER),
 DATE '2023-01-09' + CAST((i * 53) % 960 AS INTEGER),
 DATE '2023-01-09' + CAST((i * 53) % 960 AS INTEGER) + CAST((i * 3) % 12 AS INTEGER),
 1 + (i * 3) % 12 - CASE WHEN (i * 3) % 12 > 5 THEN 2 ELSE 0 END,
 (['approved','approved','approved','rejected','approved','pending','approved','cancelled'])[1 + (i * 5) % 8]
FROM generate_series(1, 260) t(i);
UPDATE leave_requests SET status = 'approved' WHERE status = 'pending' AND start_date < DATE '2025-06-01';
INSERT INTO job_openings
SELECT i, (['Software Engineer','Account Executive','Data Analyst','Accountant','Recruiter','Logistics Coordinator','Content Manager'])[1 + (i*2) % 7],
 1 + (i * 5) % 6, CASE WHEN i % 10 = 7 THEN NULL ELSE 8 + (i * 5) % 9 END,
 DATE '2023-01-16' + CAST((i * 83) % 950 AS INTEGER),
 CASE WHEN i % 11 = 3 THEN NULL ELSE DATE '2023-01-16' + CAST((i * 83) % 950 AS INTEGER) + 60 END, NULL, 'open', 40000 + (i % 5) * 4000, 52000 + (i % 5) * 6000
FROM generate_series(1, 36) t(i);
UPDATE job_openings SET filled_on = opened_on + 25 + CAST((opening_id * 17) % 90 AS INTEGER), status = 'filled'
WHERE opening_id % 4 <> 2 AND opened_on + 25 + CAST((opening_id * 17) % 90 AS INTEGER) <= DATE '2025-09-20';
UPDATE job_openings SET status = 'cancelled' WHERE filled_on IS NULL AND opening_id % 3 = 0;
UPDATE job_openings SET status = 'on hold' WHERE filled_on IS NULL AND status = 'open' AND opening_id % 5 = 3;
INSERT INTO applicants
SELECT i, o.opening_id,
 (['Mia','Noah','Lea','Finn','Ida','Theo','Nora','Emil','Zoe','Karl','Lina'])[1 + (i*3) % 11] || ' ' || (['Berg','Stein','Vogel','Winter','Krause','Lang','Voss','Busch','Horn'])[1 + (i*4) % 9],
 CASE WHEN i % 12 = 5 THEN NULL ELSE (['Hamburg','Berlin','Munich','Leipzig','Bremen'])[1 + (i*3) % 5] END,
 (['LinkedIn','Referral','Career site','Agency','LinkedIn','Job fair'])[1 + (i*5) % 6],
 least(o.opened_on + CAST((i * 7) % 40 AS INTEGER), DATE '2025-09-28'),
 CASE WHEN i % 3 = 1 THEN 'rejected' ELSE (['applied','screening','interview','offer'])[1 + (i*3) % 4] END,
 CASE WHEN i % 3 = 1 THEN least(o.opened_on + CAST((i * 7) % 40 AS INTEGER), DATE '2025-09-28') + CAST((i * 5) % 33 AS INTEGER) END,
 CASE WHEN i % 7 = 3 THEN NULL ELSE 41000 + (i * 613) % 30000 END
FROM generate_series(1, 240) t(i) JOIN job_openings o ON o.opening_id = 1 + (i * 11) % 34;
UPDATE applicants SET rejected_on = DATE '2025-09-29' WHERE rejected_on > DATE '2025-09-29';
UPDATE applicants SET stage = 'hired', rejected_on = NULL WHERE applicant_id IN (SELECT max(applicant_id) FROM applicants JOIN job_openings USING (opening_id) WHERE job_openings.status = 'filled' GROUP BY opening_id);
INSERT INTO trainings VALUES
 (1,'Fire Safety','Compliance','SafeWork GmbH',3,40,true),(2,'Data Protection Basics','Compliance','Internal',2,0,true),
 (3,'Python for Analysts','Technical','CodeCamp',24,890,false),(4,'Leadership Essentials','Leadership','Hall & Partner',16,1250,false),
 (5,'Negotiation Skills','Soft skills','Hall & Partner',8,480,false),(6,'Excel Advanced','Technical','CodeCamp',12,320,false),
 (7,'First Aid','Compliance','Red Cross',8,65,true),(8,'Public Speaking','Soft skills','Hall & Partner',8,420,false);
INSERT INTO training_enrollments
SELECT i, (ARRAY[1,2,3,1,5,2,6,7,4,2])[1 + (i*3) % 10], 2 + (i * 17) % 71, DATE '2023-02-01' + CAST((i * 47) % 940 AS INTEGER), NULL, NULL FROM generate_series(1, 210) t(i);
UPDATE training_enrollments SET completed_on = enrolled_on + 5 + CAST((enrollment_id * 13) % 60 AS INTEGER), score = 45 + (enrollment_id * 19) % 56
WHERE enrollment_id % 5 <> 2 AND enrolled_on + 5 + CAST((enrollment_id * 13) % 60 AS INTEGER) <= DATE '2025-09-29';
