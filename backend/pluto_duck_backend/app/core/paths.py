"""The data root and the names below it. Everyone who needs a file of ours asks here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pluto_duck_backend.app.core.errors import EnvironmentFault


@dataclass(frozen=True)
class Paths:
    """The places below one data root. Deleting `artifacts` loses history, never data."""

    root: Path

    @cached_property
    def warehouse(self) -> Path:
        return self.root / "data" / "warehouse.duckdb"

    @cached_property
    def artifacts(self) -> Path:
        return self.root / "artifacts"

    @cached_property
    def queries(self) -> Path:
        return self.artifacts / "queries"

    @cached_property
    def queries_running(self) -> Path:
        return self.queries / "running.jsonl"

    @cached_property
    def temp(self) -> Path:
        """What queries put aside on disk while they run."""
        return self.artifacts / "temp"

    @cached_property
    def audit(self) -> Path:
        return self.artifacts / "audit.jsonl"

    @cached_property
    def runs(self) -> Path:
        return self.artifacts / "runs"

    @cached_property
    def catalog(self) -> Path:
        """What is known of the warehouse's values while it is open."""
        return self.artifacts / "catalog"

    @cached_property
    def jobs(self) -> Path:
        return self.artifacts / "jobs"

    @cached_property
    def agents_known(self) -> Path:
        """What the scope of each agent says, so that thousands of files need not be read again."""
        return self.artifacts / "agents.json"

    @cached_property
    def tasks(self) -> Path:
        """What was set as tasks by the Agent Protocol, a file each."""
        return self.artifacts / "tasks"

    @cached_property
    def notes(self) -> Path:
        """What callers of actions want to remember, a file each."""
        return self.artifacts / "notes"

    @cached_property
    def dbt(self) -> Path:
        return self.artifacts / "dbt"

    @cached_property
    def dbt_models(self) -> Path:
        """What dbt knows of its models, as its last run told it."""
        return self.dbt / "models.json"

    @cached_property
    def evaluations(self) -> Path:
        """The last report of each suite and provider."""
        return self.artifacts / "eval"

    @cached_property
    def page(self) -> Path:
        """What the page needs and a library ships: made once, made again where it is gone."""
        return self.artifacts / "page"

    @cached_property
    def uploads(self) -> Path:
        """Files that came in over HTTP, each in a folder of its own."""
        return self.artifacts / "uploads"

    @cached_property
    def chat_history(self) -> Path:
        """What was typed into `pluto-duck chat`."""
        return self.artifacts / "chat_history"

    @cached_property
    def configs(self) -> Path:
        return self.root / "configs"

    @cached_property
    def config_file(self) -> Path:
        return self.configs / "config.toml"

    @cached_property
    def tokens(self) -> Path:
        """What is known of the tokens that were made; none of them can be read from it."""
        return self.configs / "tokens.json"

    @cached_property
    def sources(self) -> Path:
        return self.configs / "sources"

    @cached_property
    def agents(self) -> Path:
        return self.configs / "agents"

    @cached_property
    def knowledge(self) -> Path:
        return self.configs / "knowledge"

    @cached_property
    def confirmed(self) -> Path:
        """The questions whose SQL a person confirmed, a file each."""
        return self.configs / "confirmed"

    @cached_property
    def boards(self) -> Path:
        """What is pinned side by side, a file a board."""
        return self.configs / "boards"

    @cached_property
    def prompts(self) -> Path:
        """The user's own prompts, each in place of one of ours."""
        return self.configs / "prompts"

    @cached_property
    def prices(self) -> Path:
        """What the user says that models cost."""
        return self.configs / "prices.toml"

    @cached_property
    def models(self) -> Path:
        """What is known of chat models from calling them."""
        return self.artifacts / "models"

    @cached_property
    def owner_lock(self) -> Path:
        return self.root / ".owner.lock"

    @cached_property
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
