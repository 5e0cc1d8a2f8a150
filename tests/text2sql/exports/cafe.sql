-- A French café's till and its staff: names without accents, times of day, O and N for yes and no.
CREATE TABLE serveurs (serveur_id INTEGER PRIMARY KEY, nom VARCHAR, ville VARCHAR);
CREATE TABLE plats (plat_id INTEGER PRIMARY KEY, libelle VARCHAR, categorie VARCHAR, prix DOUBLE, vegetarien VARCHAR);
CREATE TABLE commandes (
    commande_id INTEGER PRIMARY KEY, serveur_id INTEGER REFERENCES serveurs (serveur_id),
    plat_id INTEGER REFERENCES plats (plat_id), date_cmd DATE, heure TIME, qte INTEGER, montant DOUBLE
);
INSERT INTO serveurs VALUES (1, 'Aubert', 'Lyon'), (2, 'Blanc', 'Lyon'), (3, 'Caron', 'Dijon');
INSERT INTO plats VALUES
    (1, 'Soupe', 'Entree', 6, 'O'), (2, 'Quiche', 'Entree', 8, 'N'), (3, 'Steak', 'Plat', 19, 'N'),
    (4, 'Risotto', 'Plat', 16, 'O'), (5, 'Sorbet', 'Dessert', 5, 'O');
INSERT INTO commandes SELECT
    n, n % 2 + 1, n % 5 + 1, DATE '2024-01-05' + CAST(n AS INTEGER),
    TIME '11:00:00' + to_minutes(CAST(n * 37 % 660 AS INTEGER)), n % 3 + 1, 5 + n * 13 % 40
FROM range(1, 121) t(n);
