"""A small shop, and what repairing may look at in it."""

import pytest
from tests.agent.seen import data_of

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings

SHOP = """
CREATE SCHEMA crm;
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name VARCHAR, country VARCHAR, city VARCHAR, zip VARCHAR,
                        sex VARCHAR, date_of_birth DATE);
INSERT INTO customers VALUES (1, 'Ada Lovelace', 'United Kingdom', 'London', '12345', 'F', '1815-12-10'),
    (2, 'Grace Hopper', 'United States of America', 'New York', 'AB12', 'F', '1906-12-09'),
    (3, 'Alan Turing', 'United Kingdom', 'Wilmslow', '77777', 'M', '1912-06-23'),
    (4, 'Oscar Niemeyer', 'Brazil', 'São Paulo', '99', 'M', '1907-12-15');
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, order_date DATE,
                     status VARCHAR, quantity INTEGER, total_amount DECIMAL(10, 2), note VARCHAR);
INSERT INTO orders VALUES (1, 1, '2024-01-05', 'Shipped', 1, 10, '5'), (2, 1, '2024-02-05', 'Pending', 2, 20, '7'),
    (3, 2, '2024-02-10', 'Shipped', 3, 30, 'x'), (4, 3, '2025-03-01', 'Cancelled', 4, 40, NULL);
CREATE TABLE order_items (item_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders, product VARCHAR,
                          price INTEGER);
INSERT INTO order_items VALUES (1, 1, 'Desk', 7), (2, 1, 'Lamp', 3), (3, 2, 'Desk', 20), (4, 3, 'Chair', 30);
CREATE TABLE teams (team_id INTEGER PRIMARY KEY, team_name VARCHAR);
INSERT INTO teams VALUES (1, 'Reds'), (2, 'Blues');
CREATE TABLE games (game_id INTEGER PRIMARY KEY, home_team INTEGER REFERENCES teams,
                    away_team INTEGER REFERENCES teams);
INSERT INTO games VALUES (1, 1, 2), (2, 2, 1);
CREATE TABLE crm.contacts (contact_id INTEGER PRIMARY KEY, email VARCHAR);
INSERT INTO crm.contacts VALUES (1, 'a@example.org');
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    workspace = Workspace.open(load_settings(tmp_path_factory.mktemp("shop")), wait_s=0)
    with workspace.warehouse.write() as session:
        for statement in SHOP.split(";\n"):
            if statement.strip():
                session.execute(statement)
    yield data_of(workspace)
    workspace.close()
