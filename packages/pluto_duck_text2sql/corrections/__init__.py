"""What a question says beyond doubt, put right in a tree, whoever wrote it: a rule a module, led by corrections.py."""
