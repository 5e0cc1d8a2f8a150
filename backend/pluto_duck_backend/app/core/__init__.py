"""The bottom of the flow: configuration, errors, paths, the warehouse and who owns it."""
