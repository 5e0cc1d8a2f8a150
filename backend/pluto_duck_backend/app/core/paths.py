"""The data root and the names below it. Everyone who needs a file of ours asks here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pluto_duck_backend.app.core.errors import EnvironmentFault


@dataclass(frozen=True)
class Paths:
    """The places below one data root. Deleting `artifacts` loses history, never data."""

    root: Path

    @property
    def warehouse(self) -> Path:
        return self.root / "data" / "warehouse.duckdb"

    @property
    def artifacts(self) -> Path:
        return self.root / "artifacts"

    @property
    def queries(self) -> Path:
        return self.artifacts / "queries"

    @property
    def queries_running(self) -> Path:
        return self.queries / "running.jsonl"

    @property
    def temp(self) -> Path:
        """What queries put aside on disk while they run."""
        return self.artifacts / "temp"

    @property
    def audit(self) -> Path:
        return self.artifacts / "audit.jsonl"

    @property
    def runs(self) -> Path:
        return self.artifacts / "runs"

    @property
    def catalog(self) -> Path:
        """What is known of the warehouse's values while it is open."""
        return self.artifacts / "catalog"

    @property
    def jobs(self) -> Path:
        return self.artifacts / "jobs"

    @property
    def dbt(self) -> Path:
        return self.artifacts / "dbt"

    @property
    def evaluations(self) -> Path:
        """The last report of each suite and provider."""
        return self.artifacts / "eval"

    @property
    def page(self) -> Path:
        """What the page needs and a library ships: made once, made again where it is gone."""
        return self.artifacts / "page"

    @property
    def uploads(self) -> Path:
        """Files that came in over HTTP, each in a folder of its own."""
        return self.artifacts / "uploads"

    @property
    def chat_history(self) -> Path:
        """What was typed into `pluto-duck chat`."""
        return self.artifacts / "chat_history"

    @property
    def configs(self) -> Path:
        return self.root / "configs"

    @property
    def config_file(self) -> Path:
        return self.configs / "config.toml"

    @property
    def sources(self) -> Path:
        return self.configs / "sources"

    @property
    def agents(self) -> Path:
        return self.configs / "agents"

    @property
    def knowledge(self) -> Path:
        return self.configs / "knowledge"

    @property
    def confirmed(self) -> Path:
        """The questions whose SQL a person confirmed, a file each."""
        return self.configs / "confirmed"

    @property
    def prompts(self) -> Path:
        """The user's own prompts, each in place of one of ours."""
        return self.configs / "prompts"

    @property
    def prices(self) -> Path:
        """What the user says that models cost."""
        return self.configs / "prices.toml"

    @property
    def models(self) -> Path:
        """What is known of chat models from calling them."""
        return self.artifacts / "models"

    @property
    def owner_lock(self) -> Path:
        return self.root / ".owner.lock"

    @property
    def owner_file(self) -> Path:
        return self.root / ".owner.json"

    def create(self) -> Paths:
        """Make every folder; the root itself is readable by its user only (0700)."""
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            folders = (
                self.warehouse.parent,
                *(self.queries, self.temp, self.runs, self.jobs, self.dbt, self.models),
                *(self.sources, self.agents, self.knowledge),
            )
            for folder in folders:
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EnvironmentFault(
                f"The data root {self.root} cannot be created: {error.strerror or error}",
                code="root_unusable",
                hint="Give another folder with --root or PLUTODUCK_ROOT, or mend its permissions.",
            ) from error
        return self
