-- What a marketing team exports: mailings, advertisements, visits; quantities of each step, no rows of those who took it.
CREATE TABLE newsletter_sends (sent_on DATE, newsletter VARCHAR, recipients INTEGER, delivered INTEGER, opens INTEGER, unique_opens INTEGER, clicks INTEGER, unsubscribes INTEGER);
CREATE TABLE ad_spend (spent_on DATE, platform VARCHAR, campaign VARCHAR, amount_spent DOUBLE, impressions INTEGER, clicks INTEGER, conversions INTEGER);
CREATE TABLE site_visits (visited_on DATE, channel VARCHAR, sessions INTEGER, engaged_sessions INTEGER, total_users INTEGER);
INSERT INTO newsletter_sends SELECT DATE '2024-01-03' + CAST(7 * i AS INTEGER), ['Weekly','Offers','Partners'][1 + i % 3], 900 + 13 * i, 880 + 12 * i, 300 + (i * 17) % 90, 250 + (i * 11) % 70, 40 + (i * 7) % 30, 1 + i % 5 FROM range(1, 61) t(i);
INSERT INTO ad_spend SELECT DATE '2024-01-01' + CAST(i AS INTEGER), ['Search','Social','Video'][1 + i % 3], 'Campaign ' || (i % 7), 20 + (i * 13) % 37, 1000 + (i * 31) % 700, 20 + (i * 5) % 23, (i * 3) % 7 FROM range(1, 201) t(i);
INSERT INTO site_visits SELECT DATE '2024-01-01' + CAST(i AS INTEGER), ['Email','Direct','Paid'][1 + i % 3], 200 + (i * 7) % 90, 90 + (i * 5) % 60, 150 + i % 40 FROM range(1, 201) t(i);
