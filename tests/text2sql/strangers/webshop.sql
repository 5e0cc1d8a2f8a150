CREATE TABLE categories (category_id INTEGER PRIMARY KEY, category_name VARCHAR, department VARCHAR);
INSERT INTO categories VALUES (1,'Blankets','Home'),(2,'Cushions','Home'),(3,'Candles','Home'),(4,'Sweaters','Apparel'),(5,'Scarves','Apparel'),(6,'Socks','Apparel'),(7,'Gift Cards','Other');
CREATE TABLE products (product_id INTEGER PRIMARY KEY, sku VARCHAR, product_name VARCHAR, category_id INTEGER REFERENCES categories(category_id), list_price DECIMAL(8,2), unit_cost DECIMAL(8,2), launched_on DATE, discontinued_on DATE);
INSERT INTO products VALUES
(1,'BL-001','Alpaca Throw',1,129.00,61.00,'2022-03-01',NULL),(2,'BL-002','Wool Picnic Blanket',1,89.00,40.50,'2022-03-01',NULL),(3,'BL-003','Baby Blanket',1,49.00,19.00,'2023-09-15',NULL),
(4,'CU-001','Linen Cushion',2,39.00,14.00,'2022-05-10',NULL),(5,'CU-002','Velvet Cushion',2,45.00,18.00,'2022-05-10','2024-06-30'),(6,'CU-003','Floor Pouf',2,119.00,55.00,'2024-02-01',NULL),
(7,'CA-001','Cedar Candle',3,24.00,7.00,'2022-03-01',NULL),(8,'CA-002','Sea Salt Candle',3,24.00,7.50,'2023-04-01',NULL),
(9,'SW-001','Fisherman Sweater',4,159.00,72.00,'2022-09-01',NULL),(10,'SW-002','Merino Cardigan',4,139.00,64.00,'2022-09-01',NULL),(11,'SW-003','Roll Neck',4,109.00,50.00,'2023-09-15','2025-03-31'),
(12,'SC-001','Tartan Scarf',5,55.00,21.00,'2022-09-01',NULL),(13,'SC-002','Silk Scarf',5,75.00,33.00,'2024-04-20',NULL),
(14,'SO-001','Hiking Socks',6,18.00,5.50,'2022-03-01',NULL),(15,'SO-002','Bed Socks',6,22.00,NULL,'2023-09-15',NULL),(16,'SO-003','Ankle Socks',6,12.00,3.80,'2025-02-01',NULL),
(17,'GC-050','Gift Card 50',7,50.00,NULL,'2022-03-01',NULL);
CREATE TABLE campaigns (campaign_id INTEGER PRIMARY KEY, campaign_name VARCHAR, channel VARCHAR, start_date DATE, end_date DATE, budget DECIMAL(10,2), spend DECIMAL(10,2), impressions INTEGER, clicks INTEGER);
INSERT INTO campaigns VALUES
(1,'Spring Refresh','Email','2023-03-01','2023-04-15',500,420.50,18000,960),(2,'Winter Warmers 2023','Paid Search','2023-10-15','2023-12-31',4000,4310.20,210000,5200),
(3,'Mothers Day','Paid Social','2024-04-20','2024-05-12',1500,1480.00,150000,2100),(4,'Summer Sale 2024','Email','2024-06-15','2024-07-31',600,390.00,26000,1450),
(5,'Brand Search','Paid Search','2024-01-01',NULL,9000,7315.75,320000,11800),(6,'Autumn Knits','Influencer','2024-09-01','2024-10-15',2500,2500.00,90000,NULL),
(7,'Black Friday 2024','Paid Social','2024-11-22','2024-12-02',3000,3640.90,400000,7900),(8,'Cosy January','Display','2025-01-05','2025-01-31',1200,980.00,500000,650),
(9,'Summer Sale 2025','Email','2025-06-15','2025-07-31',600,455.25,31000,1720),(10,'Retargeting','Display','2025-03-01',NULL,2400,1310.00,610000,1830),(11,'Back to School','Influencer','2025-08-15','2025-09-15',1800,1950.00,70000,880);
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, first_name VARCHAR, last_name VARCHAR, email VARCHAR, city VARCHAR, country VARCHAR, birth_date DATE, created_at TIMESTAMP, marketing_opt_in BOOLEAN);
INSERT INTO customers SELECT i,
 ['Anna','Ben','Clara','David','Emma','Finn','Greta','Hugo','Ines','Jonas','Karla','Luca','Mila'][1+(i*5)%13],
 ['Adler','Brandt','Conti','Dubois','Eriksen','Fischer','Gallo','Hansen','Ivanov','Jansen','Keller','Lopez','Moreau','Novak','Olsen','Petit','Quist'][1+(i*3)%17],
 'user'||i||'@mail.example', c[1], c[2], CASE WHEN i%4=0 THEN NULL ELSE DATE '1955-02-11' + CAST((i*397)%16000 AS INTEGER) END,
 TIMESTAMP '2023-01-02 09:12:00' + INTERVAL (i*8) DAY + INTERVAL ((i*53)%700) MINUTE, i%3<>0
FROM (SELECT i, [['Berlin','Germany'],['Hamburg','Germany'],['Vienna','Austria'],['Munich','Germany'],['Paris','France'],['Lyon','France'],['Zurich','Switzerland'],['Copenhagen','Denmark'],['Cologne','Germany']][1+(i*i+i//4)%9] c FROM generate_series(1,120) t(i));
CREATE TABLE sessions (session_id INTEGER PRIMARY KEY, visitor_id VARCHAR, customer_id INTEGER REFERENCES customers(customer_id), campaign_id INTEGER REFERENCES campaigns(campaign_id), started_at TIMESTAMP, duration_seconds INTEGER, source VARCHAR, device VARCHAR, landing_page VARCHAR, page_views INTEGER, added_to_cart BOOLEAN, country VARCHAR);
INSERT INTO sessions SELECT s.i, 'v'||(1000+ (s.i*37)%331), cust, (SELECT max(campaign_id) FROM campaigns c WHERE s.i%3=0 AND s.st BETWEEN c.start_date AND coalesce(c.end_date, DATE '2025-09-30')),
 s.st, CASE WHEN s.i%29=0 THEN NULL ELSE 8+(s.i*131)%1171 END,
 ['google','google','direct','instagram','newsletter','google','facebook','direct','pinterest','newsletter'][1+(s.i*7+s.i//11)%10],
 ['mobile','desktop','mobile','tablet','desktop','mobile','mobile'][1+(s.i*5+s.i//13)%7],
 ['/','/sale','/sweaters','/candles','/','/blog/wool-care','/new-in'][1+(s.i*3+s.i//17)%7],
 1+ (s.i*s.i)%13 * CASE WHEN s.i%4=1 THEN 0 ELSE 1 END, s.i%3=0 OR s.i%10=1, ['Germany','Germany','France','Austria','Switzerland','Denmark'][1+(s.i*11+s.i//9)%6]
FROM (SELECT i, TIMESTAMP '2023-01-04 07:05:00' + INTERVAL ((i*1000.0/900)::INTEGER) DAY + INTERVAL ((i*317)%930) MINUTE st, CASE WHEN i%3=0 THEN 1+(i*13+i//7)%(1+i//8) END cust FROM generate_series(1,899) t(i)) s;
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, order_number VARCHAR, customer_id INTEGER REFERENCES customers(customer_id), session_id INTEGER REFERENCES sessions(session_id), ordered_at TIMESTAMP, paid_at TIMESTAMP, shipped_at TIMESTAMP, delivered_at TIMESTAMP, promised_date DATE, status VARCHAR, payment_method VARCHAR, coupon_code VARCHAR, discount_amount DECIMAL(8,2), shipping_fee DECIMAL(8,2), total_amount DECIMAL(10,2));
CREATE TABLE order_items (order_id INTEGER REFERENCES orders(order_id), line_no INTEGER, product_id INTEGER REFERENCES products(product_id), quantity INTEGER, unit_price DECIMAL(8,2), PRIMARY KEY(order_id,line_no));
CREATE TABLE tmp_o AS SELECT row_number() OVER (ORDER BY started_at) k, session_id, customer_id, started_at + INTERVAL (4) MINUTE t FROM sessions WHERE session_id%3=0 AND (session_id//3)%5<>2;
CREATE TABLE tmp_l AS SELECT k AS order_id, n AS line_no, 1+(k*7+n*5+k//6)%16 AS product_id, 1+(k+n*n)%3 AS quantity FROM tmp_o, generate_series(1,3) g(n) WHERE n<=1+(k*5)%3;
INSERT INTO orders SELECT k, 'WEB-'||(20000+k), customer_id, CASE WHEN k%19=0 THEN NULL ELSE session_id END, t,
 CASE WHEN k%17=3 THEN NULL ELSE t + INTERVAL ((k*7)%50) HOUR END,
 CASE WHEN k%17=3 OR k%23=5 OR t>'2025-09-25' THEN NULL ELSE t + INTERVAL (24+(k*11)%90) HOUR END,
 CASE WHEN k%17=3 OR k%23=5 OR t>'2025-09-20' THEN NULL ELSE t + INTERVAL (60+(k*11)%90+(k*5)%70) HOUR END,
 CAST(t AS DATE)+5, CASE WHEN k%17=3 OR k%23=5 THEN 'cancelled' WHEN t>'2025-09-25' THEN 'processing' WHEN t>'2025-09-20' THEN 'shipped' WHEN k%13=4 THEN 'returned' ELSE 'delivered' END,
 ['card','paypal','card','klarna','card','gift card'][1+(k*5+k//8)%6], CASE WHEN k%6=1 THEN 'WELCOME10' WHEN k%11=2 THEN 'SUMMER15' WHEN k%25=0 THEN 'BF20' END,
 CASE WHEN k%6=1 THEN 10 WHEN k%11=2 THEN 15 WHEN k%25=0 THEN 20 ELSE 0 END, CASE WHEN k%4=0 THEN 0 ELSE 4.90 END, 0 FROM tmp_o;
INSERT INTO order_items SELECT l.order_id, line_no, product_id, quantity, CASE WHEN l.order_id%7=0 THEN round(list_price*0.9,2) ELSE list_price END FROM tmp_l l JOIN products USING (product_id);
UPDATE orders SET total_amount = (SELECT sum(quantity*unit_price) FROM order_items i WHERE i.order_id=orders.order_id) - discount_amount + shipping_fee;
CREATE TABLE returns (return_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(order_id), product_id INTEGER REFERENCES products(product_id), requested_on DATE, received_on DATE, refunded_on DATE, reason VARCHAR, refund_amount DECIMAL(8,2));
INSERT INTO returns SELECT row_number() OVER (ORDER BY o.order_id), o.order_id, i.product_id, CAST(delivered_at AS DATE)+1+CAST((o.order_id*3)%12 AS INTEGER) rq, CASE WHEN o.order_id%7=2 THEN NULL ELSE rq+3+CAST(o.order_id%5 AS INTEGER) END, CASE WHEN o.order_id%7=2 OR o.order_id%6=5 THEN NULL ELSE rq+6+CAST(o.order_id%9 AS INTEGER) END,
 ['wrong size','damaged','not as described','changed my mind','wrong size'][1+(o.order_id*3)%5], i.quantity*i.unit_price
 FROM orders o JOIN order_items i ON i.order_id=o.order_id AND i.line_no=1 WHERE delivered_at < '2025-09-05' AND (status='returned' OR o.order_id%15=8);
CREATE TABLE newsletter_subscribers (subscriber_id INTEGER PRIMARY KEY, email VARCHAR, customer_id INTEGER REFERENCES customers(customer_id), subscribed_on DATE, unsubscribed_on DATE, signup_form VARCHAR);
INSERT INTO newsletter_subscribers SELECT i, CASE WHEN i%2=0 THEN 'user'||(i*3//4+1)||'@mail.example' ELSE 'reader'||i||'@post.example' END, CASE WHEN i%2=0 THEN i*3//4+1 END, DATE '2023-01-05' + CAST(i*6+(i*i)%9 AS INTEGER), CASE WHEN i%5=3 THEN DATE '2023-01-05' + CAST(i*6+40+(i*17)%60 AS INTEGER) END, ['footer','popup','checkout','popup'][1+i%4] FROM generate_series(1,150) t(i);
DROP TABLE tmp_o; DROP TABLE tmp_l;
