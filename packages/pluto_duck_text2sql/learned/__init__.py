"""What is learned from examples: a small network that writes query sketches, and trees that rank what it wrote."""
