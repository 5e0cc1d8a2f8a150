"""Trains and measures what the embedded analyst has learned. Not part of the wheel; `make train`, `make eval`."""
