CREATE TABLE customers (id INTEGER PRIMARY KEY, full_name TEXT);
INSERT INTO customers VALUES (1, 'Ines Brandt'), (2, 'Tomas Ruiz'), (3, 'Lea Moreau');
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, ordered_at TIMESTAMP,
  payment_status TEXT, fulfilment_status TEXT, total DECIMAL(8, 2));
INSERT INTO orders VALUES
  (1, 1, '2025-01-04 10:00', 'paid', 'fulfilled', 30.00), (2, 1, '2025-01-05 11:00', 'pending', 'unfulfilled', 45.50),
  (3, 2, '2025-01-07 09:30', 'refunded', 'fulfilled', 12.00), (4, 2, '2025-01-09 14:00', 'paid', 'unfulfilled', 99.00),
  (5, 3, '2025-01-12 16:10', 'authorized', 'unfulfilled', 18.75), (6, 3, '2025-01-13 17:10', 'paid', 'fulfilled', 61.00);
CREATE TABLE parcels (parcel_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders, courier TEXT, state TEXT,
  weight_kg DECIMAL(6, 2));
INSERT INTO parcels VALUES
  (1, 1, 'Pelican', 'Delivered', 1.20), (2, 3, 'Pelican', 'Failed', 0.40), (3, 6, 'Heron', 'Delivered', 2.50),
  (4, 6, 'Heron', 'On the way', 0.90), (5, 1, 'Heron', 'Failed', 3.30), (6, 4, 'Heron', 'Failed', 0.70);
