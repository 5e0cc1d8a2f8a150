CREATE TABLE owners(owner_id INTEGER PRIMARY KEY, full_name VARCHAR, village VARCHAR, phone VARCHAR);
INSERT INTO owners SELECT i, ['Ada','Bram','Cleo','Dirk','Elin','Finn','Gert','Hana','Ivo','Jana'][1+i%10] || ' ' || ['Moss','Reed','Stone','Vale','Birch','Thorn'][1+i%6], ['Holm','Birkby','Tarnside','Ellerton'][1+(i*7%11)%4], '0170-' || (1000+i*37) FROM range(1, 41) t(i);
CREATE TABLE animals(animal_id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners(owner_id), name VARCHAR, species VARCHAR, born_on DATE);
INSERT INTO animals SELECT i, 1 + (i*13 % 43) % 38, ['Rex','Luna','Milo','Bella','Nero','Coco','Max','Lily','Otto','Zoe'][1+(i*3%10)], ['Dog','Cat','Rabbit','Horse'][1+(i*5%17)%4], DATE '2012-04-01' + CAST((i*211 % 4200) AS INTEGER) FROM range(1, 61) t(i);
CREATE TABLE vets(vet_id INTEGER PRIMARY KEY, vet_name VARCHAR);
INSERT INTO vets VALUES (1,'Dr. Hall'),(2,'Dr. Okafor'),(3,'Dr. Sund');
CREATE TABLE visits(visit_id INTEGER PRIMARY KEY, animal_id INTEGER REFERENCES animals(animal_id), vet_id INTEGER REFERENCES vets(vet_id), visited_on DATE, reason VARCHAR, fee DECIMAL(8,2), paid BOOLEAN);
INSERT INTO visits SELECT i, 1 + (i*37 % 61) % 57, 1 + (i*11 % 13) % 3, DATE '2023-01-09' + CAST((i*71 % 890) AS INTEGER), ['Vaccination','Check-up','Surgery','Dental'][1+(i*19%23)%4], 25 + (i*29 % 83) * 3 + ((i*19%23)%4) * 40, (i*7 % 9) > 1 FROM range(1, 331) t(i);
