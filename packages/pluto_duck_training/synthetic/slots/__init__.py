"""What the places of a template stand for: things, measures, conditions, times. Each file adds roles to ROLES."""

from pluto_duck_training.synthetic.slots import counts, entities, measures, times, wheres
from pluto_duck_training.synthetic.slots.draw import ROLES, Draw, Slot, Unfit

__all__ = ["ROLES", "Draw", "Slot", "Unfit", "counts", "entities", "measures", "times", "wheres"]
