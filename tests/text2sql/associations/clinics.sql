-- Vets: owners have a home clinic, a visit is at any of them, an invoice is of a visit and its owner.
CREATE TABLE clinics (clinic_id INTEGER PRIMARY KEY, name VARCHAR, town VARCHAR);
CREATE TABLE owners (owner_id INTEGER PRIMARY KEY, full_name VARCHAR, home_clinic_id INTEGER REFERENCES clinics (clinic_id));
CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, clinic_id INTEGER REFERENCES clinics (clinic_id), owner_id INTEGER REFERENCES owners (owner_id), seen_on DATE);
CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners (owner_id), visit_id INTEGER REFERENCES visits (visit_id), issued_on DATE, total_amount DECIMAL(8,2));
INSERT INTO clinics SELECT i, ['Ashbury','Harbour','Oakfield'][i] || ' Vets', ['Ashbury','Cove','Oakfield'][i] FROM range(1, 4) t(i);
INSERT INTO owners SELECT i, 'Owner ' || i, 1 + i % 3 FROM range(1, 25) t(i);
INSERT INTO visits SELECT i, 1 + (i * i) % 3, 1 + i % 24, DATE '2024-01-03' + CAST(5 * i AS INTEGER) FROM range(1, 121) t(i);
INSERT INTO invoices SELECT i, 1 + i % 24, i, DATE '2024-01-04' + CAST(5 * i AS INTEGER), 30 + 7 * (i % 9) FROM range(1, 121) t(i);
