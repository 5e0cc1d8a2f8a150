"""One chat model as configured: settings, environment and what is known of the provider, put together.

The workspace resolves a provider's name here before a run starts, so that what is missing is said at once. Nothing
here talks to a network.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from pydantic import SecretStr

from pluto_duck_backend.agent.models import keys
from pluto_duck_backend.agent.models.presets import LIBRARIES, LISTED, PRESETS, Family, Preset
from pluto_duck_backend.app.core.config import ProviderSettings, Settings
from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput, did_you_mean

_ELSEWHERE = ("-cloud", ":cloud")
"""How the names of models end that a server in the house, Ollama, has run by others."""


@dataclass(frozen=True)
class Endpoint:
    """A chat model that can be called. Its key shows in no text of it."""

    name: str
    family: Family
    model: str
    base_url: str
    is_local: bool
    #   what is sent to it stays in the house
    limits: ProviderSettings = field(repr=False, compare=False)
    key: SecretStr | None = None

    @property
    def place(self) -> str:
        """Where it listens, without a name and a password that its address may have: `127.0.0.1:8000`."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2]

    @property
    def options(self) -> dict[str, Any]:
        return self.limits.options


def names(settings: Settings) -> list[str]:
    """Every provider that can be named: the one without a model, those configured, those known."""
    scripted = ["scripted"] if settings.agent.script else []
    known = (name for name in PRESETS if name != "langchain")
    return list(dict.fromkeys(["embedded", *scripted, "auto", *settings.providers, *known]))


def resolve(name: str, settings: Settings, model: str | None = None) -> Endpoint:
    """The endpoint of the provider `name`. Raises InvalidInput for one that is not known or lacks a model.

    Raises EnvironmentFault where its library or its key is missing.
    """
    own = _settings_of(name, settings)
    preset = _preset(name, own, settings)
    _check_library(preset.family)
    url = _url(own, preset)
    chosen = model or own.model or ""
    is_here = _is_loopback(url) and not chosen.endswith(_ELSEWHERE)
    is_local = is_here if own.is_local is None else own.is_local
    key = keys.find(name, preset.key_variable, own.api_key)
    if preset.needs_key and key is None and not is_local:
        raise _no_key(name, preset)
    if not chosen and not (is_local and preset.family in LISTED):
        raise InvalidInput(
            f"The provider {name!r} has many models, and none is chosen.",
            code="no_model",
            hint=f"Name one: --model NAME, or providers.{name}.model in config.toml.",
        )
    return Endpoint(name, preset.family, chosen, url, is_local, own, key)


def _settings_of(name: str, settings: Settings) -> ProviderSettings:
    """What is configured for a provider; `agent.model`, `.base_url` and `.api_key` are those of `agent.provider`."""
    own = settings.providers.get(name) or ProviderSettings()
    if name != settings.agent.provider:
        return own
    agent = settings.agent
    given = {key: value for key in ("model", "base_url", "api_key") if (value := getattr(agent, key))}
    return own.model_copy(update=given) if given else own


def _preset(name: str, own: ProviderSettings, settings: Settings) -> Preset:
    kind = own.kind or name
    if kind in PRESETS:
        is_another = kind != name and own.base_url
        return _at_another_place(PRESETS[kind], name) if is_another else PRESETS[kind]
    if own.base_url and not own.kind:
        return _at_another_place(PRESETS["openai"], name)
    if own.kind:
        raise InvalidInput(
            f"providers.{name}.kind={kind!r} is not known. Known: {', '.join(PRESETS)}. {did_you_mean(kind, PRESETS)}",
            code="unknown_provider",
            hint="Choose the one whose protocol it speaks; most servers speak `openai`.",
        )
    if name in settings.providers:
        raise InvalidInput(
            f"providers.{name} says neither whose protocol it speaks nor where it listens.",
            code="unknown_provider",
            hint="Add --kind openai --base-url URL, or kind and base_url in config.toml.",
        )
    raise unknown(name, names(settings))


def _at_another_place(preset: Preset, name: str) -> Preset:
    """Of a provider that only speaks as a known one does: that one's key is not sent to it, and it may need none."""
    variable = re.sub(r"\W", "_", name).upper() + "_API_KEY"
    return replace(preset, title=name, key_variable=variable, url_variable="", needs_key=False)


def unknown(name: str, known: Iterable[str]) -> InvalidInput:
    """The error for a provider that does not exist."""
    known = list(known)
    return InvalidInput(
        f"No provider {name!r}. Available: {', '.join(known)}. {did_you_mean(name, known)}".rstrip(),
        code="unknown_provider",
        hint="Choose one with --provider or agent.provider; `embedded` needs no model.",
    )


def _check_library(family: Family) -> None:
    module, extra = LIBRARIES[family]
    if find_spec(module) is None:
        raise EnvironmentFault(
            f"The library {module} is not installed.",
            code="missing_library",
            hint=f"pip install 'pluto-duck[{extra}]'",
        )


def _url(own: ProviderSettings, preset: Preset) -> str:
    url = own.base_url or (os.environ.get(preset.url_variable, "") if preset.url_variable else "") or preset.base_url
    return url if "://" in url or not url else f"http://{url}"


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _no_key(name: str, preset: Preset) -> EnvironmentFault:
    where = f"set {preset.key_variable}, or " if preset.key_variable else ""
    return EnvironmentFault(
        f"There is no key for {preset.title}.",
        code="no_key",
        hint=f"{where[:1].upper()}{where[1:]}`pluto-duck config add {name} --key-stdin` keeps it in the keyring.",
    )
