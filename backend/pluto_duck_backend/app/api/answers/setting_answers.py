"""Settings, checks, and whether the server is well."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field


class Setting(BaseModel):
    name: str = Field(description="As in config.toml: query.timeout_s.")
    value: str = Field(description="Secrets are masked.")
    source: str = Field(description="environment, .env, config.toml, default or flag.")
    description: str
    changeable: bool = Field(description="Whether PATCH /settings takes it.")


class SettingsTold(BaseModel):
    settings: list[Setting]
    file: str = Field(description="The config.toml.")


class Check(BaseModel):
    check: str
    ok: bool
    found: str
    hint: str = Field(description="The next step; empty: all is well.")


class Checks(BaseModel):
    checks: list[Check]


class Health(BaseModel):
    status: Literal["ok"]
    version: str
    warehouse: str = Field(description="The warehouse's file.")
