"""Who writes the SQL: the embedded analyst, chat models, and a scripted fake for tests, behind one contract."""
