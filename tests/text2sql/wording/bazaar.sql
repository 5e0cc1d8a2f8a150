CREATE TABLE sellers (seller_id INTEGER PRIMARY KEY, shop_name TEXT, city TEXT, joined_on DATE, is_verified BOOLEAN);
INSERT INTO sellers VALUES (1, 'Blue Kiln', 'Porto', '2021-02-03', true), (2, 'Copper & Clay', 'Lisbon', '2021-05-11', true),
  (3, 'Dune Candles', 'Lisbon', '2022-01-20', false), (4, 'Oak Hut', 'Braga', '2022-07-07', true), (5, 'Paper Moon', 'Porto', '2023-03-15', true),
  (6, 'Salt Lamp Co', 'Faro', '2023-10-02', false), (7, 'Willow Toys', 'Braga', '2024-04-22', true), (8, 'Quiet Corner', 'Porto', '2025-06-30', false);
CREATE TABLE products (product_id INTEGER PRIMARY KEY, title TEXT, category TEXT, list_price DECIMAL(8, 2), seller_id INTEGER REFERENCES sellers);
INSERT INTO products VALUES (1, 'Stoneware mug', 'Kitchen', 14.5, 1), (2, 'Serving bowl', 'Kitchen', 32, 1), (3, 'Copper pan', 'Kitchen', 79, 2),
  (4, 'Tea tray', 'Kitchen', 24, 2), (5, 'Beeswax candle', 'Home', 9.9, 3), (6, 'Lantern', 'Home', 27.5, 3), (7, 'Oak shelf', 'Furniture', 119, 4),
  (8, 'Footstool', 'Furniture', 68, 4), (9, 'Wall calendar', 'Paper', 12, 5), (10, 'Notebook set', 'Paper', 18, 5), (11, 'Salt lamp', 'Home', 35, 6),
  (12, 'Wooden train', 'Toys', 42, 7), (13, 'Puzzle map', 'Toys', 21, 7), (14, 'Birthday garland', 'Paper', 11, 5);
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, city TEXT, joined_on DATE, newsletter BOOLEAN);
INSERT INTO customers SELECT i, ['Ana', 'Bruno', 'Clara', 'Diogo', 'Eva', 'Filipe', 'Graca', 'Hugo', 'Ines', 'Jorge', 'Katia'][1 + i % 11],
  ['Alves', 'Barros', 'Costa', 'Dias', 'Esteves', 'Faria', 'Gomes'][1 + i % 7], ['Porto', 'Lisbon', 'Coimbra', 'Lisbon', 'Evora', 'Braga', 'Lisbon', 'Porto', 'Aveiro'][1 + (i * 4) % 9],
  DATE '2023-01-05' + (i * 53) % 940, i % 3 = 0 FROM (SELECT CAST(n AS INTEGER) AS i FROM range(1, 71) t(n));
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, ordered_at TIMESTAMP, status TEXT, payment TEXT, voucher TEXT);
INSERT INTO orders SELECT i, 1 + (i * 29 + i // 5) % 61, TIMESTAMP '2023-10-02 07:05:00' + to_minutes((i * 4391) % 1032000),
  ['completed', 'completed', 'cancelled', 'completed', 'completed', 'pending', 'completed', 'completed'][1 + (i * 3) % 8],
  ['Card', 'Card', 'Wallet', 'Bank transfer'][1 + (i * 5 + i // 4) % 4], CASE WHEN i % 6 = 0 THEN 'SPRING10' WHEN i % 10 = 3 THEN 'HELLO5' END
  FROM (SELECT CAST(n AS INTEGER) AS i FROM range(1, 401) t(n));
CREATE TABLE order_items (item_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders, product_id INTEGER REFERENCES products, quantity INTEGER,
  unit_price DECIMAL(8, 2));
INSERT INTO order_items SELECT row_number() OVER (ORDER BY o, k), o, product_id, 1 + (o + k) % 3, CASE WHEN o % 6 = 0 THEN round(list_price * 0.9, 2) ELSE list_price END
  FROM (SELECT o, k, 1 + (o * 5 + k * 3 + o // 13) % 13 p FROM (SELECT CAST(n AS INTEGER) AS o FROM range(1, 401) t(n)), (SELECT CAST(n AS INTEGER) AS k FROM range(0, 3) t(n)) WHERE k <= o % 3) JOIN products ON product_id = p;
CREATE TABLE returns (return_id INTEGER PRIMARY KEY, item_id INTEGER REFERENCES order_items, returned_on DATE, reason TEXT, was_restocked BOOLEAN, refund DECIMAL(8, 2));
INSERT INTO returns SELECT row_number() OVER (ORDER BY item_id), item_id, CAST(ordered_at AS DATE) + 3 + item_id % 19,
  ['Damaged', 'Not as described', 'Changed mind', 'Damaged', 'Unknown', 'Arrived late', 'Damaged', 'Changed mind', 'Damaged'][1 + (item_id // 9) % 9], item_id % 2 = 0, quantity * unit_price
  FROM order_items JOIN orders USING (order_id) WHERE (item_id % 9 = 4 OR (product_id = 5 AND item_id % 4 = 1)) AND status = 'completed' AND ordered_at < '2025-08-27';
