"""Stores on loopback that speak as Google Cloud Storage and as Azure's blobs do; both believe a bearer token."""

from urllib.parse import parse_qsl, urlsplit
from xml.sax.saxutils import escape

from tests.ingestion import object_server
from tests.ingestion.object_server import BUCKET, SECRET


class _Google(object_server.Handler):
    """Its XML interface is S3's but for who is let in."""

    def _is_signed(self):
        return self.headers.get("Authorization") == f"Bearer {SECRET}"


class _Azure(_Google):
    def _listed(self):
        prefix = dict(parse_qsl(urlsplit(self.path).query)).get("prefix", "")
        found = "".join(
            f"<Blob><Name>{escape(key)}</Name><Properties><Last-Modified>Thu, 01 Jan 2026 00:00:00 GMT</Last-Modified>"
            f"<Etag>1</Etag><Content-Length>{len(data)}</Content-Length><Content-Type>text/csv</Content-Type>"
            "</Properties></Blob>"
            for key, data in sorted(self.server.objects.items())
            if key.startswith(prefix)
        )
        self._answer(200, f"<EnumerationResults><Blobs>{found}</Blobs><NextMarker/></EnumerationResults>".encode())


class _Store(object_server.Store):
    handler, url = _Google, f"gs://{BUCKET}"

    def __init__(self):
        super().__init__(self.handler)

    @property
    def options(self):
        return {"endpoint": f"http://127.0.0.1:{self.server_port}", "token": SECRET}


class Google(_Store):
    pass


class Azure(_Store):
    handler, url = _Azure, f"az://account/{BUCKET}"
