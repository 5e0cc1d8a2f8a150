"""Questions whose SQL a person confirmed."""
