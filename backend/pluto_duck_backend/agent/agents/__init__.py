"""Agents as files: who answers a question, with which model, over which part of the data, by whose instructions."""
