"""Calling a chat model: which there are, with what key, one call that streams, and every way it can fail."""
