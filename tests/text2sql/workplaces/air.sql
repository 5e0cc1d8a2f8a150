CREATE TABLE air (
    station_code VARCHAR, station_name VARCHAR, city VARCHAR, site_type VARCHAR, date DATE, pm25 DOUBLE,
    no2_ugm3 DOUBLE, o3_ugm3 DOUBLE, temp_c DOUBLE, precip_mm DOUBLE, wind_speed_kmh DOUBLE
);
INSERT INTO air SELECT
    ['AA1', 'AA2', 'BB1'][s], ['Harbour', 'Castle', 'Mill'][s], ['Arnby', 'Arnby', 'Brent'][s],
    ['traffic', 'background', 'traffic'][s], DATE '2024-12-01' + CAST(d AS INTEGER), 5 + (d * 7 + s * 11) % 37,
    20 + (d * 5 + s * 17) % 41, 30 + (d * 3 + s * 7) % 53, (d * 11 + s * 5) % 47 - 12 + s / 10,
    CASE WHEN (d + s) % 3 = 0 THEN (d * 13 + s) % 19 ELSE 0 END, (d * 17 + s * 3) % 45
FROM range(1, 4) a(s), range(0, 120) b(d);
