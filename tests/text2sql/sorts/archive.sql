-- An archive whose entries are of several kinds, told by a key to a lookup; notes are written on entries.
CREATE TABLE entry_types (entry_type_id INTEGER PRIMARY KEY, label VARCHAR);
CREATE TABLE clerks (clerk_id INTEGER PRIMARY KEY, full_name VARCHAR, office VARCHAR);
CREATE TABLE entries (entry_id INTEGER PRIMARY KEY, entry_type_id INTEGER REFERENCES entry_types (entry_type_id), clerk_id INTEGER REFERENCES clerks (clerk_id), title VARCHAR, pages INTEGER, filed_on DATE);
CREATE TABLE notes (note_id INTEGER PRIMARY KEY, entry_id INTEGER REFERENCES entries (entry_id), clerk_id INTEGER REFERENCES clerks (clerk_id), noted_on DATE);
INSERT INTO entry_types VALUES (1, 'Letter'), (2, 'Map'), (3, 'Court Ruling'), (4, 'Sealed');
INSERT INTO clerks SELECT i, 'Clerk ' || chr((64 + i)::INTEGER), ['Norwich', 'Ipswich'][1 + i % 2] FROM range(1, 9) t(i);
INSERT INTO entries SELECT i, 1 + (i * 7) % 4, CASE WHEN (i * 7) % 4 = 0 THEN 1 + i % 5 ELSE 1 + (i * 3) % 8 END, 'Entry ' || i, 1 + (i * 13) % 60, DATE '2022-01-03' + (i * 5)::INTEGER FROM range(1, 161) t(i);
INSERT INTO notes SELECT i, 1 + (i * 11) % 160, 1 + (i * 5) % 8, DATE '2022-02-01' + (i * 3)::INTEGER FROM range(1, 201) t(i);
