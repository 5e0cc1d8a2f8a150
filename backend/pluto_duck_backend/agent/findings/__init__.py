"""What is suspicious about a query's result."""
