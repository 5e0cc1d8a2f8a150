-- A chain of bakeries that keeps the name of who runs each shop beside it, and its districts with their directors.
CREATE TABLE districts (district_id INTEGER PRIMARY KEY, district_name VARCHAR, director VARCHAR);
CREATE TABLE shops (shop_id INTEGER PRIMARY KEY, shop_name VARCHAR, town VARCHAR, district_id INTEGER NOT NULL REFERENCES districts (district_id), shop_manager VARCHAR, floor_sqm INTEGER, team_lead VARCHAR, lead_source VARCHAR);
CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL REFERENCES shops (shop_id), sold_on DATE, takings DECIMAL(8,2), takings_target DECIMAL(8,2), till_difference DECIMAL(8,2));
CREATE TABLE bread_plans_monthly (plan_month DATE, shop_id INTEGER NOT NULL REFERENCES shops (shop_id), mrr_eur INTEGER, mrr_change_eur INTEGER);
INSERT INTO districts VALUES (1, 'Coast', 'Ines Falk'), (2, 'Hills', 'Omar Brandt');
INSERT INTO shops VALUES (1, 'Harbour Street', 'Kiel', 1, 'Lea Holm', 80, 'Ute Kern', 'fair'), (2, 'Old Mill', 'Kiel', 1, 'Jan Petri', 65, 'Kai Lund', 'agent'), (3, 'Market Corner', 'Goslar', 2, 'Mia Sand', 120, 'Eva Roth', 'fair'), (4, 'Castle Gate', 'Goslar', 2, 'Lea Holm', 40, 'Tom Beck', 'agent');
INSERT INTO sales SELECT i, 1 + i % 4, DATE '2024-01-02' + CAST((i * 5) % 360 AS INTEGER), 20 + (i * 13) % 70, 40 + (i * 7) % 30, (i * 11) % 9 - 4 FROM range(1, 161) t(i);
INSERT INTO bread_plans_monthly SELECT DATE '2024-01-01' + to_months(m::INT), s, 100 + 17 * s + (m * 29 * s) % 60, (m * 13 + s) % 9 - 4 FROM range(12) t(m), range(1, 5) u(s);
