"""One file a command, each with an `app`; main.py imports the one that is named."""
