"""Speed, measured and printed, never asserted. `make bench` runs all; `python -m tests.benchmarks events` one."""
