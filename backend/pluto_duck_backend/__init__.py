"""Pluto-Duck's backend: the thinking (agent), the services and the warehouse. `import` costs nothing."""

__version__ = "0.1.0"
