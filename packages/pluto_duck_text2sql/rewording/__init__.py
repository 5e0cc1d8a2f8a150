"""A question in the words that every part of the analyst knows, and in those of the data."""
