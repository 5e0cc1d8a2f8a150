-- What a marketing team exported: deals with labels for their stages, newsletters with clicks of two kinds, a dealer's cars and their sales.
CREATE TABLE crm_leads ("Record ID" BIGINT, "Company Name" VARCHAR, "Original Source" VARCHAR, "Lead Owner" VARCHAR, "Lead Created" TIMESTAMP, "Deal Stage" VARCHAR, "Deal Amount (EUR)" DOUBLE, "Close Date" DATE, "Lost Reason" VARCHAR);
CREATE TABLE newsletter_sends ("Send Date" TIMESTAMP, "Newsletter" VARCHAR, "Subject Line" VARCHAR, "Delivered" BIGINT, "Clicks" BIGINT, "Unique Clicks" BIGINT);
CREATE TABLE vehicle (vehicle_id INTEGER PRIMARY KEY, model VARCHAR, acquired_date DATE, client_version VARCHAR);
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, company_name VARCHAR);
CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, vehicle_id INTEGER REFERENCES vehicle (vehicle_id), customer_id INTEGER REFERENCES customer (customer_id), sale_date DATE, sale_price DECIMAL(10,2));
INSERT INTO crm_leads SELECT 9000 + i, 'Company ' || i, ['Referral','Webinar','Organic Search'][1 + i % 3], ['Tim de Haan','Jonas Reuter','Carolin Seitz'][1 + (i // 3) % 3], TIMESTAMP '2024-01-03 09:00:00' + to_days(CAST(3 * i AS INTEGER)), ['Closed Won','Closed Lost','Proposal Sent','Negotiation','Closed Won'][1 + i % 5], 1000 + 10 * i, CASE WHEN i % 5 IN (0, 1, 4) THEN DATE '2024-02-01' + CAST(3 * i AS INTEGER) END, CASE WHEN i % 5 = 1 THEN 'Price' END FROM range(1, 141) t(i);
INSERT INTO newsletter_sends SELECT TIMESTAMP '2024-11-04 08:00:00' + to_days(CAST(7 * i AS INTEGER)), ['Product News','Partner Update'][1 + i % 2], 'Subject ' || i, 1000 + i, 100 + 3 * i, 60 + i FROM range(0, 20) t(i);
INSERT INTO vehicle SELECT i, 'Model ' || chr((64 + i % 5)::INTEGER), DATE '2023-12-01' + CAST(i AS INTEGER), '2.' || (i % 3) FROM range(1, 121) t(i);
INSERT INTO customer SELECT i, 'First' || i, 'Last' || i, CASE WHEN i % 9 = 0 THEN 'Firm ' || i END FROM range(1, 41) t(i);
INSERT INTO sale SELECT i, i, 1 + i % 40, DATE '2024-03-01' + CAST((i * i) % 290 AS INTEGER), 9000 + 100 * i FROM range(1, 101) t(i);
CREATE TABLE opt_ins (opt_in_id INTEGER PRIMARY KEY, country VARCHAR, opt_in VARCHAR, demo_held DATE);
CREATE TABLE purchases (purchase_id INTEGER PRIMARY KEY, item VARCHAR, purchased_at TIMESTAMP, refunded_at TIMESTAMP, gross_amount DECIMAL(8,2));
INSERT INTO opt_ins SELECT i, [NULL,'Austria','France',NULL,'Germany'][1 + i % 5], CASE WHEN i % 7 = 0 OR i % 5 = 4 THEN 'No' ELSE 'Yes' END, CASE WHEN i % 3 = 0 THEN DATE '2024-05-01' + CAST(i AS INTEGER) END FROM range(1, 91) t(i);
INSERT INTO opt_ins SELECT 100 + i, 'France', 'Yes', NULL FROM range(1, 6) t(i);
INSERT INTO purchases SELECT i, 'Item ' || (i % 6), TIMESTAMP '2024-08-01 10:00:00' + to_days(CAST(2 * i AS INTEGER)), CASE WHEN i % 3 = 0 THEN TIMESTAMP '2024-08-20 10:00:00' + to_days(CAST(2 * i AS INTEGER)) END, 5 + i FROM range(1, 121) t(i);
