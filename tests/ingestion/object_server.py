"""A store that speaks S3's protocol on loopback: lists, heads, gets ranges, and believes only a true signature (SigV4).

Tests break it: `behave` is what it does wrong, once for each request of an object.
"""

import contextlib
import hashlib
import hmac
import http.server
import threading
from urllib.parse import parse_qsl, quote, unquote, urlsplit
from xml.sax.saxutils import escape

KEY, SECRET, BUCKET = "AKIATEST", "s3cret-s3cret", "lake"


class Store(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.objects, self.behave, self.asked = {}, [], []
        self.over = threading.Event()

    @property
    def options(self):
        """What a request needs to get in."""
        where = {"endpoint": f"http://127.0.0.1:{self.server_port}", "region": "us-east-1"}
        return {**where, "access_key_id": KEY, "secret_access_key": SECRET}


@contextlib.contextmanager
def running():
    store = Store()
    thread = threading.Thread(target=store.serve_forever)
    thread.start()
    try:
        yield store
    finally:
        store.over.set()
        store.shutdown()
        thread.join()
        store.server_close()


class _Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        bucket, _, key = unquote(urlsplit(self.path).path).lstrip("/").partition("/")
        if not self._is_signed():
            self._refuse(403, "SignatureDoesNotMatch", "The request signature does not match.")
        elif bucket != BUCKET:
            self._refuse(404, "NoSuchBucket", "The specified bucket does not exist")
        elif key:
            self._object(key)
        else:
            self._listed()

    def _listed(self):
        asked = dict(parse_qsl(urlsplit(self.path).query))
        keys = [key for key in sorted(self.server.objects) if key.startswith(asked.get("prefix", ""))]
        found = "".join(
            f"<Contents><Key>{escape(key)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
            f"<ETag>{_mark(self.server.objects[key])}</ETag><Size>{len(self.server.objects[key])}</Size></Contents>"
            for key in keys
        )
        self._answer(200, f"<ListBucketResult><Name>{BUCKET}</Name>{found}</ListBucketResult>".encode())

    def _object(self, key):
        how = self.server.behave.pop(0) if self.server.behave else ""
        self.server.asked.append(dict(self.headers))
        if how == "changed":
            self.server.objects[key] = self.server.objects[key].upper()
        data = self.server.objects.get(key)
        if data is None:
            self._refuse(404, "NoSuchKey", "The specified key does not exist.")
            return
        if self.headers.get("If-Match", _mark(data)) != _mark(data):
            self._refuse(412, "PreconditionFailed", "It changed.")
            return
        start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").split("-")[0])
        extra = {"Content-Range": f"bytes {start}-{len(data) - 1}/{len(data)}"} if "Range" in self.headers else {}
        body = data[start:]
        sent = {"break": len(body) * 3 // 10, "stall": len(body) * 3 // 10, "drop": 0}.get(how, len(body))
        self._answer(206 if extra else 200, body, extra | {"ETag": _mark(data)}, sent)
        if how == "stall":
            self.server.over.wait()

    def _refuse(self, status, code, message):
        self._answer(status, f"<Error><Code>{code}</Code><Message>{message}</Message></Error>".encode())

    def _answer(self, status, body, headers=None, sent=None):
        """`sent`: so many bytes of it, then the connection ends."""
        self.send_response(status)
        for name, value in {"Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body[:sent])

    def _is_signed(self):
        """AWS Signature Version 4, as docs.aws.amazon.com describes it."""
        given = self.headers.get("Authorization", "").removeprefix("AWS4-HMAC-SHA256 ")
        parts = dict(part.strip().split("=", 1) for part in given.split(",") if "=" in part)
        who, *scope = parts.get("Credential", "").split("/")
        signed = parts.get("SignedHeaders", "").split(";")
        url = urlsplit(self.path)
        pairs = sorted(parse_qsl(url.query, keep_blank_values=True))
        query = "&".join(f"{quote(name, safe='-_.~')}={quote(value, safe='-_.~')}" for name, value in pairs)
        headers = "".join(f"{name}:{self.headers.get(name, '').strip()}\n" for name in signed)
        payload = self.headers.get("x-amz-content-sha256", "")
        asked = "\n".join([self.command, url.path, query, headers, ";".join(signed), payload])
        key = f"AWS4{SECRET}".encode()
        for part in scope:
            key = hmac.digest(key, part.encode(), "sha256")
        digest = hashlib.sha256(asked.encode()).hexdigest()
        text = "\n".join(["AWS4-HMAC-SHA256", self.headers.get("x-amz-date", ""), "/".join(scope), digest])
        true = hmac.digest(key, text.encode(), "sha256").hex()
        return who == KEY and hmac.compare_digest(true, parts.get("Signature", ""))


def _mark(data):
    return f'"{hashlib.md5(data).hexdigest()}"'
