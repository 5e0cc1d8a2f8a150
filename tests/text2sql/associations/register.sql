-- A school's register as somebody exported it: a list of whoever goes there, and the rooms of its teachers.
CREATE TABLE list ("LastName" VARCHAR, "FirstName" VARCHAR, "Grade" INTEGER, "Classroom" INTEGER);
CREATE TABLE teachers ("LastName" VARCHAR, "FirstName" VARCHAR, "Classroom" INTEGER);
INSERT INTO list SELECT 'Family' || i, 'Given' || (i % 17), i % 6, 101 + i % 12 FROM range(1, 91) t(i);
INSERT INTO teachers SELECT 'Teach' || i, 'Other' || i, 100 + i FROM range(1, 13) t(i);
