"""Settings, each declared once with a sentence; precedence: flag, environment, `.env`, config.toml, default.

Called by whoever opens a workspace. The environment prefix is `PLUTODUCK_`, nested names with `__`.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from pluto_duck_backend.app.core.config_file import written
from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.principal import AGENT_MARK, Role
from pluto_duck_backend.app.core.setting_names import NESTED, PREFIX, may_be_shown, unknown, unknown_variables

Privacy = Literal["schema", "values", "rows"]
Words = Literal["auto", "plain", "model"]
Policy = Literal["local-only", "prefer-local", "best"]
_DOTENV = ".env"
_IN_JSON = "A group or a list is written in JSON, such as PLUTODUCK_AGENT__CHAIN='[\"openai\"]'."


class AgentSettings(BaseModel):
    provider: str = Field("embedded", description="Who answers: embedded (no model), a chat model's provider, or auto.")
    model: str | None = Field(None, description="The model of that provider; empty: `providers.NAME.model`.")
    base_url: str = Field("", description="Where that provider listens; empty: `providers.NAME.base_url`.")
    api_key: SecretStr | None = Field(None, description="The key of that provider; empty: environment or keyring.")
    policy: Policy = Field("prefer-local", description="Who may answer: local-only, prefer-local, best.")
    chain: list[str] = Field([], description="Providers to ask in this order; empty: all of `providers`.")
    sure: float = Field(0.8, ge=0, le=1, description="Confidence from which `auto` takes the embedded analyst's word.")
    max_latency_s: float = Field(0, ge=0, description="Seconds a provider's calls may take as a rule; 0: any.")
    privacy: Privacy = Field("values", description="What a hosted model may see: schema, values (stored texts), rows.")
    words: Words = Field("auto", description="Who puts a result in words: plain, model; auto: a model that sees rows.")
    today: dt.date | None = Field(None, description="The day that `last month` counts from; empty: the day it is.")
    max_attempts: int = Field(3, ge=1, le=10, description="How often SQL is written anew after a failed verification.")
    max_steps: int = Field(8, ge=0, le=50, description="Steps of one answer; 0: one query answers, or none.")
    python_s: float = Field(10, gt=0, description="Seconds that a step of Python may compute.")
    python_mb: int = Field(512, ge=16, description="MB that a step of Python may use.")
    max_rows: int = Field(100, ge=0, le=10_000, description="Rows of the result shown in the answer.")
    timeout_s: float = Field(300, gt=0, description="Seconds a run may take.")
    script: Path | None = Field(None, description="A script for the provider `scripted`, which exists only with it.")

    def day(self) -> dt.date:
        """The day it is, or the one that was set."""
        return self.today or dt.date.today()


class ProviderSettings(BaseModel):
    kind: str = Field("", description="The known provider it behaves like; empty: the one of its name.")
    model: str | None = Field(None, description="Its model; empty: the only one a local server has.")
    base_url: str = Field("", description="Where it listens; empty: where the known provider does.")
    api_key: SecretStr | None = Field(None, description="Its key; empty: from the environment or the keyring.")
    is_local: bool | None = Field(None, description="Whether data stays in the house; empty: where it is loopback.")
    stall_s: float = Field(60, gt=0, description="Seconds without a word until it stalls; locally: after its first.")
    timeout_s: float = Field(180, gt=0, description="Seconds one call may take.")
    retries: int = Field(2, ge=0, le=10, description="How often a failed call is tried again, with backoff.")
    max_wait_s: float = Field(20, ge=0, description="Seconds to wait at most where the provider asks for patience.")
    max_output_tokens: int = Field(4_000, ge=100, description="Tokens of one reply.")
    prompt_chars: int = Field(14_000, ge=2_000, description="Characters of one prompt; 14,000 fit a context of 8k.")
    options: dict[str, Any] = Field({}, description="Further options of its langchain chat model.")


class BudgetSettings(BaseModel):
    run_tokens: int = Field(0, ge=0, description="Tokens that models may use for one question; 0: any number.")
    run_usd: float = Field(0, ge=0, description="US dollars that models may cost for one question; 0: any.")
    run_calls: int = Field(0, ge=0, description="Calls of models for one question; 0: any number.")
    run_queries: int = Field(0, ge=0, description="Queries run for one question; 0: any number.")
    run_s: float = Field(0, ge=0, description="Seconds of calls for one question; 0: any.")
    day_tokens: int = Field(0, ge=0, description="Tokens that models may use in a day (UTC); 0: any number.")
    day_usd: float = Field(0, ge=0, description="US dollars that models may cost in a day; 0: any.")
    day_calls: int = Field(0, ge=0, description="Calls of models in a day; 0: any number.")
    day_queries: int = Field(0, ge=0, description="Queries run for the questions of a day; 0: any number.")
    day_s: float = Field(0, ge=0, description="Seconds of calls in a day; 0: any.")


class QuerySettings(BaseModel):
    timeout_s: float = Field(120, gt=0, description="Seconds a query may take.")
    max_rows: int = Field(100, ge=0, le=100_000, description="Rows of a query's preview.")
    memory_limit: str = Field("", description="Memory DuckDB works in before it uses the disk: 4GB; empty: half.")
    temp_limit: str = Field("20GB", description="Disk that queries may use beyond memory; 0GB: none.")
    threads: int = Field(0, ge=0, description="DuckDB's threads; 0: one for each core.")
    process_memory_mb: int = Field(0, ge=0, description="MB the process may hold; 0: three quarters of the machine's.")
    stuck_s: float = Field(5, gt=0, description="Seconds a stopped query has to end before its process is ended.")
    result_rows: int = Field(0, ge=0, description="Rows a result may have; 0: any number.")
    result_mb: int = Field(20_000, ge=0, description="MB a result may take on disk; 0: any size.")
    keep_days: float = Field(30, ge=0, description="Days the results of queries are kept; 0: for ever.")
    keep_mb: int = Field(20_000, ge=0, description="MB all kept results may take, the oldest go first; 0: any size.")


class RightsSettings(BaseModel):
    tables: list[str] = Field(
        ["*"], description="Tables that may be seen: `schema.table`, `schema.*`; main is left out."
    )
    columns: dict[str, list[str]] = Field({}, description="By table: the only columns that may be seen.")
    rows: dict[str, str] = Field({}, description="By table: the condition of the rows that may be seen, in SQL.")


class TokenSettings(BaseModel):
    token: SecretStr = Field(description="Sent as `Authorization: Bearer`.")
    rights: str = Field("", description="The rights of its bearer, by their name; empty: everything.")
    role: Role = Field("admin", description="What its bearer may do: viewer, analyst, engineer, admin.")


class ServerSettings(BaseModel):
    host: str = Field("127.0.0.1", description="Address to listen on; any but loopback needs a token.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0: a free one.")
    token: SecretStr | None = Field(None, description="Token asked of clients as `Authorization: Bearer`.")
    token_file: Path | None = Field(None, description="Where no token is set: a file to keep a made one in.")
    tokens: dict[str, TokenSettings] = Field({}, description="Further tokens by their user's name, each with rights.")
    calls_per_minute: int = Field(600, ge=0, description="Calls a minute by one token, and at once; 0: any number.")
    log: Literal["text", "json"] = Field("text", description="What the log on stderr is written as: text, json.")
    trace_text: bool = Field(False, description="Whether traces sent by OpenTelemetry hold questions and SQL.")


class IngestSettings(BaseModel):
    sample_rows: int = Field(100_000, ge=1, description="Rows read to choose the types of a text file's columns.")
    max_rejects: int = Field(
        1_000, ge=0, description="Unreadable rows put aside in <table>_rejects; more: the load fails."
    )
    retries: int = Field(2, ge=0, le=20, description="How often a load is tried again after a passing fault.")
    retry_s: float = Field(1.0, gt=0, description="Seconds before the first retry; each further waits twice as long.")
    stall_s: float = Field(30.0, gt=0, description="Seconds without a byte after which a download has stalled.")


class OutsideSettings(BaseModel):
    commands: list[str] = Field([], description="Programs that deployed agents may start as MCP servers; `*`: any.")
    variables: list[str] = Field([], description="Variables of the environment that deployed agents may hand on.")


class CatalogSettings(BaseModel):
    values_per_column: int = Field(2_000_000, ge=0, description="Distinct text values of a column kept in the index.")
    values_total: int = Field(20_000_000, ge=0, description="Distinct text values kept in the index altogether.")


class DbtSettings(BaseModel):
    project_dir: Path | None = Field(None, description="The dbt project; empty: <root>/dbt_project.")
    target: str | None = Field(None, description="The target of the project's profile; empty: its default.")


class StateSettings(BaseModel):
    sessions: SecretStr | None = Field(None, description="Where conversations are kept, as an address; empty: files.")
    memory: SecretStr | None = Field(None, description="Where confirmed answers and notes are kept; empty: files.")
    artifacts: SecretStr | None = Field(None, description="Where results and boards' outcomes are kept; empty: files.")
    options: dict[str, SecretStr] = Field({}, description="Of s3:// addresses: endpoint, region, access_key_id, …")


class Settings(BaseSettings):
    """All settings of one data root."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_nested_delimiter=NESTED, env_file=_DOTENV, extra="ignore")

    root: Path = Field(Path("~/.pluto-duck"), description="The data root.")
    agent: AgentSettings = AgentSettings()
    providers: dict[str, ProviderSettings] = Field({}, description="Chat models by the name of their provider.")
    budget: BudgetSettings = BudgetSettings()
    query: QuerySettings = QuerySettings()
    server: ServerSettings = ServerSettings()
    ingest: IngestSettings = IngestSettings()
    catalog: CatalogSettings = CatalogSettings()
    outside: OutsideSettings = OutsideSettings()
    dbt: DbtSettings = DbtSettings()
    state: StateSettings = StateSettings()
    rights: dict[str, RightsSettings] = Field({}, description="What some users may see, by a name for it.")

    @model_validator(mode="after")
    def _rights_exist(self) -> Settings:
        for name in self.rights:
            if AGENT_MARK in name:
                raise ValueError(f"rights.{name}: {AGENT_MARK} stands before an agent's name, so no name may hold it")
        for name, token in self.server.tokens.items():
            if token.rights and token.rights not in self.rights:
                raise ValueError(f"server.tokens.{name}.rights={token.rights!r} is not one of rights.*")
        return self

    @property
    def paths(self) -> Paths:
        return _paths_below(self.root)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, dotenv_settings, TomlConfigSettingsSource(settings_cls)


class _RootOnly(BaseSettings):
    model_config = SettingsConfigDict(env_prefix=PREFIX, env_file=_DOTENV, extra="ignore")
    root: Path = Path("~/.pluto-duck")


@lru_cache(maxsize=64)
def _paths_below(root: Path) -> Paths:
    """One for each root, which keeps what it has put together."""
    return Paths(root)


def load_settings(root: Path | None = None, **flags: Any) -> Settings:
    """The settings of `root` (else PLUTODUCK_ROOT, else ~/.pluto-duck); `flags` win over everything.

    Raises InvalidInput naming each setting that is not usable.
    """
    _check_variables()
    chosen = (root or _RootOnly().root).expanduser().absolute()
    try:
        settings = _reading(Paths(chosen).config_file)(root=chosen, **flags)
    except ValidationError as error:
        raise InvalidInput(_explain(error), code="bad_setting", hint="See docs/settings.md.") from error
    except SettingsError as error:
        raise InvalidInput(f"The environment is not usable: {error}.", code="bad_setting", hint=_IN_JSON) from error
    except ValueError as error:
        raise InvalidInput(f"{Paths(chosen).config_file} is not valid TOML: {error}", code="bad_config_file") from error
    _check_names(str(settings.paths.config_file), unknown(written(settings.paths.config_file), Settings))
    return settings


def _check_variables() -> None:
    """Raises InvalidInput for a variable, of the environment or of `.env`, that is meant as a setting and is none."""
    _check_names("The environment", unknown_variables(os.environ, Settings))
    if Path(_DOTENV).is_file():
        from dotenv import dotenv_values

        _check_names(_DOTENV, unknown_variables(dotenv_values(_DOTENV), Settings))


def _check_names(where: str, found: Iterator[str]) -> None:
    """Raises InvalidInput for what is no setting: a limit that is misspelt would be none."""
    if names := "; ".join(found):
        raise InvalidInput(
            f"{where} names what is no setting: {names}",
            code="bad_setting",
            hint="docs/settings.md has all of them, `pluto-duck config` those in use.",
        )


def _reading(config_file: Path) -> type[Settings]:
    """The settings class that also reads this root's config.toml."""

    class FromRoot(Settings):
        model_config = SettingsConfigDict(toml_file=config_file)

    return FromRoot


def _explain(error: ValidationError) -> str:
    problems = (f"{'.'.join(map(str, each['loc']))}{_quoted(each)}: {each['msg']}" for each in error.errors())
    return "These settings are not usable: " + "; ".join(problems)


def _quoted(problem: Any) -> str:
    value = problem.get("input")
    return f"={value!r}" if may_be_shown(problem["loc"], value, Settings) else ""
