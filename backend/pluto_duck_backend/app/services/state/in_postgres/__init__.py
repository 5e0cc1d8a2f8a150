"""State in PostgreSQL."""
