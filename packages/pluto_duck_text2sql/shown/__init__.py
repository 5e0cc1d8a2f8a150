"""What is changed of the answer that goes out: how days and periods are shown, gaps, what its reading tells."""
