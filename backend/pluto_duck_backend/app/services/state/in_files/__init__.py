"""State in files below the data root: the default, as people read it."""
