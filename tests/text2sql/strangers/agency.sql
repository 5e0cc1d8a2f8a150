CREATE TABLE clients (client_id INTEGER PRIMARY KEY, client_name TEXT, country TEXT);
INSERT INTO clients VALUES (1, 'Arno GmbH', 'Germany'), (2, 'Bell Ltd', 'Ireland'), (3, 'Cove AG', 'Germany');
CREATE TABLE planners (planner_id INTEGER PRIMARY KEY, full_name TEXT);
INSERT INTO planners VALUES (1, 'Pia Moor'), (2, 'Quin Nagy');
CREATE TABLE projects (project_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients, planner_id INTEGER REFERENCES planners);
INSERT INTO projects VALUES (1, 1, 1), (2, 2, 1), (3, 3, 2);
CREATE TABLE translators (translator_id INTEGER PRIMARY KEY, full_name TEXT, city TEXT, word_rate DECIMAL(6, 2));
INSERT INTO translators VALUES (1, 'Rae Ohm', 'Bern', 0.10), (2, 'Sol Pike', 'Bern', 0.20), (3, 'Tess Quay', 'Bern', 0.60), (4, 'Uri Rand', 'Graz', 0.05);
CREATE TABLE jobs (job_id INTEGER PRIMARY KEY, project_id INTEGER REFERENCES projects, translator_id INTEGER REFERENCES translators,
  word_count INTEGER, fee DECIMAL(8, 2), kind TEXT, delivered_on DATE);
INSERT INTO jobs VALUES (1, 1, 2, 500, 60, 'manual', '2024-01-04'), (2, 1, 2, 300, 70, 'leaflet', '2024-01-09'), (3, 2, 3, 700, 90, 'manual', '2024-02-01'),
  (4, 3, 1, 100, 20, 'manual', '2024-03-01'), (5, 3, 3, 50, 5, 'leaflet', '2024-03-02'), (6, 3, 1, 40, 15, 'leaflet', '2024-03-09'),
  (7, 2, 2, 10, 10, 'manual', '2025-01-01');
