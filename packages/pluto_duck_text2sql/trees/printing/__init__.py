"""Prints query trees as DuckDB's SQL through sqlglot's expressions, which is loaded when the first tree is printed.

statement.py ─▶ select_list.py, ordering.py    SELECT … FROM … ORDER BY … LIMIT
  each node ─▶ scalars.py, aggregates.py, predicates.py, subqueries.py: a function for each type of node
                 ─▶ coercions.py, windows.py, constants.py
scope.py: what all of them print in: the query, its tables by their names, the catalog
"""
