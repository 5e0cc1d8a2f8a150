"""The page at `/`: plain HTML, CSS and one ES module, served from here and needing nothing else."""
