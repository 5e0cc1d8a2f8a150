"""What went wrong: problem documents of calls, faults of runs and jobs."""

from __future__ import annotations

from pydantic import BaseModel, Field


class Problem(BaseModel):
    """RFC 9457, with our `code`, `hint` and `trace_id`."""

    type: str = Field(description="urn:pluto-duck:problem:<code>")
    title: str = Field(description="The status in words.")
    status: int
    detail: str = Field(description="What is wrong, naming the thing and its value.")
    code: str = Field(description="Stable; docs/errors.md lists them.")
    kind: str = Field("", description="Of an error of ours: docs/errors.md lists the codes of each kind.")
    hint: str = Field(description="The next step.")
    trace_id: str = Field(description="The server's log names it too.")
    instance: str = Field(description="The path that was called.")


class Fault(BaseModel):
    """Why a run or job failed."""

    code: str
    kind: str = Field("", description="What kind of error it is: docs/errors.md lists the codes of each.")
    message: str
    hint: str
    retryable: bool
