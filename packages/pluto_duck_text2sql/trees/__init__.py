"""What is made of a query tree, and found in one: SQL, titles, names of columns, parts, what it looks for in vain."""
