"""What a question leaves open: two readings that fit, each an option that was written and run."""
