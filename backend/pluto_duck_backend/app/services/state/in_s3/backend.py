"""State in one S3 bucket, below the prefix that the address names; state.options say where it is and who may."""

from __future__ import annotations

from pluto_duck_backend.app.core.state import Address, ArtifactService, MemoryService, SessionService, Shape
from pluto_duck_backend.app.services.state.in_s3.artifacts import S3Artifacts
from pluto_duck_backend.app.services.state.in_s3.bucket import Bucket
from pluto_duck_backend.app.services.state.in_s3.memory import S3Memory
from pluto_duck_backend.app.services.state.in_s3.sessions import S3Sessions


class S3State:
    def __init__(self, address: Address) -> None:
        self._bucket = Bucket(address)
        self._process = address.process
        self.place = self._bucket.place

    def sessions(self, scope: str, shape: Shape) -> SessionService:
        return S3Sessions(self._bucket, scope, shape, self._process)

    def memory(self) -> MemoryService:
        return S3Memory(self._bucket)

    def artifacts(self) -> ArtifactService:
        return S3Artifacts(self._bucket)

    def check(self) -> str:
        self._bucket.names("artifacts")
        return ""

    def close(self) -> None:
        """Nothing is held."""
