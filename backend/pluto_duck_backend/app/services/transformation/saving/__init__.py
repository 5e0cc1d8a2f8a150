"""From a question to an asset: an answer's SQL becomes a model, a test, a metric or an analysis of a project."""

from pluto_duck_backend.app.services.transformation.saving.service import Answered, AssetKind, SavingService

__all__ = ["Answered", "AssetKind", "SavingService"]
