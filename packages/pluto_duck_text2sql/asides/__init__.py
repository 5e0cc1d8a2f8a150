"""What is said beside what is asked, taken off the question and put into the tree of the rest."""
