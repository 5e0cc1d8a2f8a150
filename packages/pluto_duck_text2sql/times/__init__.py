"""Times that questions tell: periods, days by a name, parts of years, fiscal years, spans from one date to another."""
