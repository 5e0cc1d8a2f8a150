"""What the analyst knows of a database: the catalog, an index of its values, its keys, what its names tell."""
