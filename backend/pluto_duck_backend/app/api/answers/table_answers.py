"""Tables with their columns and keys, values, terms and metrics."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pluto_duck_backend.app.api.answers.query_answers import Column


class TableColumn(Column):
    nullable: bool
    comment: str
    n_distinct: int | None = Field(None, description="Distinct values; in GET /schema/{table} only, as all below.")
    minimum: Any = None
    maximum: Any = None
    null_fraction: float | None = None
    frequent: list[Any] = Field([], description="The values that most rows have; not where each row has its own.")


class ForeignKey(BaseModel):
    columns: list[str]
    references: str = Field(description="schema.table")
    ref_columns: list[str]
    inferred: bool = Field(description="Found in the data, not declared by its source.")


class DbtFacts(BaseModel):
    node: str = Field(description="dbt's unique_id.")
    materialized: str
    made_from: list[str] = Field(description="The tables it reads, as schema.table.")
    tags: list[str]
    exposures: list[str]
    built_at: str | None = Field(description="When its last build began; null: not known, or none of dbt's.")
    tests: dict[str, str] = Field(description="Each test and how it last ended; empty text: not run yet.")


class Table(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    schema_: str = Field(alias="schema")
    table: str
    kind: Literal["table", "view"]
    comment: str
    row_count: int
    columns: list[TableColumn]
    primary_key: list[str]
    foreign_keys: list[ForeignKey]
    dbt: DbtFacts | None = Field(description="What a dbt project says of it; null: none makes or reads it.")


class Term(BaseModel):
    term: str
    meaning: str
    place: str = Field(description="file:line")


class Glossary(BaseModel):
    terms: list[Term]
    warnings: list[str] = Field(description="Lines that mean nothing here, and why; empty for who is confined.")


class Value(BaseModel):
    schema_: str = Field(alias="schema")
    table: str
    column: str
    value: str = Field(description="As it is stored.")
    score: float = Field(description="1: as asked for; less: in another case or number, or misspelt.")


class Values(BaseModel):
    values: list[Value]


class Tables(BaseModel):
    tables: list[Table]
    glossary: Glossary = Field(description="What configs/knowledge/*.md says that words mean.")


class Metric(BaseModel):
    name: str
    label: str
    description: str
    type: Literal["simple", "ratio", "derived", "cumulative", "conversion"]
    project: str
    metrics: list[str] = Field(description="The metrics that it is made of.")
    dimensions: list[str] = Field(description="What it can be cut by.")


class Metrics(BaseModel):
    metrics: list[Metric]
