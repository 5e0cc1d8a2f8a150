"""The command line: parse, call, render. Importing it costs nothing; a command's libraries load when it runs."""
