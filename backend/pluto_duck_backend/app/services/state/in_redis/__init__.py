"""State in Redis."""
