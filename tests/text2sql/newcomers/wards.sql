-- A hospital: several dates of each stay, wards that say how many beds they are funded for, shifts lost, tickets of the helpdesk.
CREATE TABLE wards (ward_id INTEGER PRIMARY KEY, ward_name VARCHAR, specialty VARCHAR, funded_beds INTEGER);
CREATE TABLE beds (bed_id INTEGER PRIMARY KEY, ward_id INTEGER REFERENCES wards (ward_id), bed_code VARCHAR, last_inspected_on DATE);
CREATE TABLE patients (patient_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, insurer VARCHAR, registered_on DATE, course_completed_on DATE);
CREATE TABLE admissions (admission_id INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patients (patient_id), ward_id INTEGER REFERENCES wards (ward_id), booked_on DATE, planned_on DATE, admitted_at TIMESTAMP, status VARCHAR);
CREATE TABLE discharges (discharge_id INTEGER PRIMARY KEY, admission_id INTEGER UNIQUE REFERENCES admissions (admission_id), medically_fit_at TIMESTAMP, discharged_at TIMESTAMP, follow_up_on DATE, total_charge DECIMAL(10,2));
CREATE TABLE procedures (procedure_id INTEGER PRIMARY KEY, admission_id INTEGER REFERENCES admissions (admission_id), procedure_name VARCHAR, done_on DATE);
CREATE TABLE diagnoses (diagnosis_id INTEGER PRIMARY KEY, admission_id INTEGER REFERENCES admissions (admission_id), description VARCHAR, diagnosed_on DATE);
CREATE TABLE shifts (shift_id INTEGER PRIMARY KEY, ward_id INTEGER REFERENCES wards (ward_id), starts_at TIMESTAMP, status VARCHAR);
CREATE TABLE support_tickets (ticket_id INTEGER PRIMARY KEY, agent_name VARCHAR, created_at TIMESTAMP, resolved_at TIMESTAMP, status VARCHAR, csat_score INTEGER);
INSERT INTO wards VALUES (1, 'Acute Unit', 'Medicine', 12), (2, 'Fota Ward', 'Oncology', 7), (3, 'Marina Ward', 'Respiratory', 8);
INSERT INTO beds SELECT i, 1 + i % 3, 'B-' || i, DATE '2024-02-01' + CAST(13 * i AS INTEGER) FROM range(1, 29) t(i);
INSERT INTO patients SELECT i, 'First' || i, 'Last' || i, ['VHI Healthcare','Laya Healthcare','Irish Life Health'][1 + i % 3], DATE '2023-03-01' + CAST(11 * i AS INTEGER), CASE WHEN i % 4 <> 0 THEN DATE '2023-05-01' + CAST(11 * i AS INTEGER) END FROM range(1, 61) t(i);
INSERT INTO admissions SELECT i, 1 + (i * 7) % 60, 1 + i % 3, DATE '2023-12-01' + CAST(2 * i AS INTEGER), DATE '2023-12-20' + CAST(2 * i AS INTEGER), CASE WHEN i <= 195 THEN TIMESTAMP '2023-12-20 10:00:00' + to_days(CAST(2 * i + i % 4 AS INTEGER)) END, CASE WHEN i <= 185 THEN 'discharged' WHEN i <= 195 THEN 'in_house' ELSE 'booked' END FROM range(1, 221) t(i);
INSERT INTO discharges SELECT i, i, TIMESTAMP '2023-12-24 09:00:00' + to_days(CAST(2 * i AS INTEGER)), TIMESTAMP '2023-12-25 12:00:00' + to_days(CAST(2 * i AS INTEGER)), DATE '2024-01-20' + CAST(2 * i AS INTEGER), 1000 + 7 * i FROM range(1, 186) t(i);
INSERT INTO procedures SELECT i, i, ['Right hemicolectomy','Knee replacement'][1 + i % 2], DATE '2023-12-22' + CAST(2 * i AS INTEGER) FROM range(1, 121) t(i);
INSERT INTO diagnoses SELECT i, 1 + i % 195, ['Sepsis','Pneumonia','Sepsis','Pressure ulcer','Fracture','Sepsis','Pneumonia'][1 + i % 7], DATE '2024-01-01' + CAST(i AS INTEGER) FROM range(1, 301) t(i);
INSERT INTO shifts SELECT i, 1 + i % 3, TIMESTAMP '2024-06-01 07:00:00' + to_hours(CAST(12 * i AS INTEGER)), CASE WHEN i % 9 = 0 THEN 'sick' ELSE 'worked' END FROM range(1, 569) t(i);
INSERT INTO support_tickets SELECT i, ['Dario','Mina','Otto'][1 + (i * i) % 3], TIMESTAMP '2024-03-01 08:00:00' + to_days(CAST(3 * i AS INTEGER)), CASE WHEN i < 95 THEN TIMESTAMP '2024-03-02 18:00:00' + to_days(CAST(3 * i AS INTEGER)) END, CASE WHEN i < 95 THEN 'resolved' ELSE 'open' END, CASE WHEN i % 3 <> 0 THEN 1 + i % 5 END FROM range(1, 111) t(i);
