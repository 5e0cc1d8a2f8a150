-- A Spanish school: a table and its amount of one name, S and N for yes and no, first and last names side by side.
CREATE TABLE alumnos (alumno_id INTEGER PRIMARY KEY, nombre VARCHAR, apellido VARCHAR, grupo VARCHAR, becado VARCHAR);
CREATE TABLE notas (
    nota_id INTEGER PRIMARY KEY, alumno_id INTEGER REFERENCES alumnos (alumno_id), asignatura VARCHAR, nota DOUBLE
);
INSERT INTO alumnos SELECT n, ['Ana', 'Beto', 'Carla'][n % 3 + 1], ['Ruiz', 'Sanz', 'Toro', 'Vega'][n % 4 + 1],
    ['1A', '1B'][n % 2 + 1], if(n % 4 = 0, 'S', 'N')
FROM range(1, 13) t(n);
INSERT INTO notas SELECT n, n % 11 + 1, ['Lengua', 'Historia', 'Fisica'][n % 3 + 1], 1 + n * 7 % 10
FROM range(1, 100) t(n);
