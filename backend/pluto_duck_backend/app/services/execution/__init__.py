"""Execution: what SQL may do (guard), jobs and limits (executor), results, and the catalog of what is there."""
