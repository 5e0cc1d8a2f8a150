CREATE TABLE clients(client_id INTEGER PRIMARY KEY, client_name VARCHAR, city VARCHAR);
INSERT INTO clients VALUES (1,'Ada Moss','Bergen'),(2,'Bo Lind','Bergen'),(3,'Cy Hart','Oslo'),(4,'Di Falk','Oslo'),(5,'Ed Roth','Bergen');
CREATE TABLE products(product_id INTEGER PRIMARY KEY, product_name VARCHAR, category VARCHAR);
INSERT INTO products VALUES (1,'Brie','Cheese'),(2,'Gouda','Cheese'),(3,'Salami','Meat'),(4,'Ham','Meat'),(5,'Olives','Deli'),(6,'Pesto','Deli');
CREATE TABLE orders(order_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients(client_id), ordered_on DATE, channel VARCHAR, revenue DECIMAL(8,2));
CREATE TABLE order_lines(line_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(order_id), product_id INTEGER REFERENCES products(product_id), quantity INTEGER, unit_price DECIMAL(6,2), revenue DECIMAL(8,2));
INSERT INTO orders SELECT i, 1+(i*7%11)%4, DATE '2023-01-04' + CAST(i*37%720 AS INTEGER), ['Shop','Web','Phone'][1+(i*5%13)%3], 0 FROM range(1, 61) t(i);
INSERT INTO order_lines SELECT i, 1+(i*17%61)%60, 1+(i*11%23)%6, 1+i%4, 2+(i*3%7), (1+i%4)*(2+(i*3%7)) FROM range(1, 161) t(i);
UPDATE orders SET revenue = coalesce((SELECT sum(revenue) FROM order_lines l WHERE l.order_id = orders.order_id), 0);
