"""What an action is: a function whose types say what it takes, and who may have it done.

The built-in ones and those of plug-ins are made the same way, by `action`. The function gets the `Call` first and gives
its details, or a `Result` where text tells more than the details as JSON. What it raises becomes the result's error.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.app.core.errors import InvalidInput, PlutoDuckError, Refused
from pluto_duck_backend.app.core.principal import OWNER, Principal, Role

if TYPE_CHECKING:
    from pluto_duck_backend.agent.workspace import Workspace

Details = dict[str, Any]
_LISTED = ("name", "title", "description", "role", "writes", "approval", "timeout_s", "input_schema")
_UNSAID = inspect.Parameter.empty


@dataclass(frozen=True)
class Result:
    """`content` is text for a reader or a model, `details` the same as data.

    `error` is None, or `{code, kind, message, hint, retryable, refused}`, the last where a rule forbade it.
    """

    content: str
    details: Details = field(default_factory=dict)
    error: Details | None = None

    @classmethod
    def of(cls, details: Details) -> Result:
        """Details that speak for themselves."""
        return cls(json.dumps(details, ensure_ascii=False, default=str), details)

    @classmethod
    def failed(cls, error: PlutoDuckError) -> Result:
        return cls(told(error.to_dict()), {}, {**error.to_dict(), "refused": isinstance(error, Refused)})

    def to_dict(self) -> Details:
        return {"content": self.content, "details": self.details, "error": self.error}


@dataclass(frozen=True)
class Call:
    """One call of an action: where, for whom; `tell` says how far it is, `token` ends it."""

    workspace: Workspace
    who: Principal = OWNER
    token: CancelToken = field(default_factory=CancelToken)
    tell: Callable[[str], None] = lambda message: None

    def require(self, role: Role, what: str) -> None:
        """Raises Refused where the caller's role is too small for `what`."""
        if not self.who.is_at_least(role):
            raise Refused(
                f"{self.who.name!r} has the role {self.who.role}, and {what} needs {role}.",
                code="role_too_small",
                hint="docs/tools.md lists what each role may do; `pluto-duck tokens create` makes a token.",
            )


Work = Callable[..., "Details | Result"]


@dataclass(frozen=True)
class Action:
    """`writes`: it changes the warehouse, or what is outside. `timeout_s`: it is ended then, unless its caller says
    earlier. `approval`: it is done only where its caller says that a person has approved it.
    """

    name: str
    title: str
    role: Role
    work: Work
    writes: bool = False
    timeout_s: float = 60.0
    approval: bool = False

    @cached_property
    def description(self) -> str:
        return inspect.getdoc(self.work) or self.title

    @cached_property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """What it takes, by name, the types as they are meant."""
        hints = get_type_hints(self.work, include_extras=True)
        taken = list(inspect.signature(self.work).parameters.values())[1:]
        return {each.name: each.replace(annotation=hints[each.name], kind=each.KEYWORD_ONLY) for each in taken}

    @cached_property
    def model(self) -> type[BaseModel]:
        fields: dict[str, Any] = {
            name: (each.annotation, ... if each.default is _UNSAID else each.default)
            for name, each in self.parameters.items()
        }
        return create_model(self.name, __config__=ConfigDict(extra="forbid"), **fields)

    @cached_property
    def input_schema(self) -> Details:
        """What it takes, as JSON Schema."""
        return self.model.model_json_schema()

    def taken(self, arguments: Mapping[str, Any]) -> Details:
        """The arguments as the work gets them. Raises InvalidInput naming each that does not fit."""
        try:
            read = self.model.model_validate(dict(arguments))
        except ValidationError as error:
            wrong = [f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}" for each in error.errors()]
            raise InvalidInput(
                f"{self.name}: {'; '.join(wrong)}.",
                code="invalid_arguments",
                hint=f"It takes {', '.join(self.parameters) or 'nothing'}; GET /api/v1/actions has the schema.",
            ) from error
        return {name: getattr(read, name) for name in self.parameters}

    def do(self, call: Call, taken: Details) -> Result:
        """Have it done. Raises what the work raises."""
        done = self.work(call, **taken)
        return done if isinstance(done, Result) else Result.of(done)

    def to_dict(self) -> Details:
        """How it is listed."""
        return {name: getattr(self, name) for name in _LISTED}


def action(title: str, role: Role, *, writes: bool = False, timeout_s: float = 60.0) -> Callable[[Work], Action]:
    """Makes an action of a function: its name and first sentence say what it does, its types what it takes."""

    def made(work: Work) -> Action:
        return Action(work.__name__, title, role, work, writes, timeout_s)

    return made


def told(error: Mapping[str, Any]) -> str:
    """An error in lines: message, next step, code. A message may quote data, so its further lines are indented."""
    lines = [
        "error: " + "\n  ".join(error["message"].splitlines()),
        f"hint: {error['hint']}" if error.get("hint") else "",
    ]
    return "\n".join(filter(None, [*lines, f"code: {error['code']}"]))


def with_error(result: Result, error: Mapping[str, Any]) -> Result:
    """A result that failed with what it has found, too."""
    return replace(result, error=dict(error))
