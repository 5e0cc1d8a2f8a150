"""The demo shop: files full of everyday dirt, and the answers known before the dirt was applied.

Called by `pluto-duck demo` and by tests. Imports the standard library, and polars only while a Parquet file
is written. The same seed and scale give the same rows on every machine.
"""

from pluto_duck_backend.app.services.demo.generator import FILES, generate
from pluto_duck_backend.app.services.demo.showcase import SHOWCASE, Showcase
from pluto_duck_backend.app.services.demo.truth import DemoTruth

__all__ = ["FILES", "SHOWCASE", "DemoTruth", "Showcase", "generate"]
