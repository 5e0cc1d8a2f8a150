"""A store that speaks S3's protocol on loopback: lists in pages, heads, gets ranges, puts (also on a condition and in
parts), deletes, and believes only a true signature (SigV4). Alone (`python -m …`) it prints its port.

Tests break it: `behave` is what it does wrong, once for each request of an object.
"""

import contextlib
import hashlib
import hmac
import http.server
import re
import threading
import time
import uuid
from datetime import UTC, datetime
from urllib.parse import parse_qsl, quote, unquote, urlsplit
from xml.sax.saxutils import escape, unescape

KEY, SECRET, BUCKET = "AKIATEST", "s3cret-s3cret", "lake"
CREDENTIALS = {"region": "us-east-1", "access_key_id": KEY, "secret_access_key": SECRET}


class Store(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, handler=None):
        super().__init__(("127.0.0.1", 0), handler or Handler)
        self.objects, self.behave, self.asked = {}, [], []
        self.modified, self.uploads, self.page = {}, {}, 1000
        self.alone = threading.Lock()
        self.over = threading.Event()

    @property
    def options(self):
        """What a request needs to get in."""
        return {"endpoint": f"http://127.0.0.1:{self.server_port}", **CREDENTIALS}


@contextlib.contextmanager
def running(make=Store):
    store = make()
    thread = threading.Thread(target=store.serve_forever)
    thread.start()
    try:
        yield store
    finally:
        store.over.set()
        store.shutdown()
        thread.join()
        store.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
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

    def do_PUT(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        key, asked = self._asked_for()
        if not self._is_signed():
            self._refuse(403, "SignatureDoesNotMatch", "The request signature does not match.")
        elif "partNumber" in asked:
            self.server.uploads[asked["uploadId"]][int(asked["partNumber"])] = body
            self._answer(200, b"", {"ETag": _mark(body)})
        else:
            self._put(key, body)

    def _put(self, key, body):
        with self.server.alone:
            there = self.server.objects.get(key)
            wanted = self.headers.get("If-Match")
            if self.headers.get("If-None-Match") == "*" and there is not None:
                return self._refuse(412, "PreconditionFailed", "It is there.")
            if wanted and there is None:
                return self._refuse(404, "NoSuchKey", "The specified key does not exist.")
            if wanted and _mark(there) != wanted:
                return self._refuse(412, "PreconditionFailed", "It changed.")
            self._keep(key, body)
        return self._answer(200, b"", {"ETag": _mark(body)})

    def _keep(self, key, body):
        self.server.objects[key] = body
        self.server.modified[key] = time.time()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        key, asked = self._asked_for()
        if not self._is_signed():
            self._refuse(403, "SignatureDoesNotMatch", "The request signature does not match.")
        elif "delete" in asked:
            keys = re.findall(r"<Key>(.*?)</Key>", body.decode())
            for each in keys:
                self.server.objects.pop(unescape(each), None)
            done = "".join(f"<Deleted><Key>{each}</Key></Deleted>" for each in keys)
            self._answer(200, f"<DeleteResult>{done}</DeleteResult>".encode())
        elif "uploads" in asked:
            self.server.uploads[upload := uuid.uuid4().hex] = {}
            begun = f"<UploadId>{upload}</UploadId>"
            self._answer(200, f"<InitiateMultipartUploadResult>{begun}</InitiateMultipartUploadResult>".encode())
        else:
            parts = self.server.uploads.pop(asked["uploadId"])
            data = b"".join(parts[number] for number in sorted(parts))
            self._keep(key, data)
            done = f"<CompleteMultipartUploadResult><ETag>{_mark(data)}</ETag></CompleteMultipartUploadResult>"
            self._answer(200, done.encode())

    def do_DELETE(self):
        key, asked = self._asked_for()
        if not self._is_signed():
            self._refuse(403, "SignatureDoesNotMatch", "The request signature does not match.")
        else:
            self.server.uploads.pop(asked.get("uploadId"), None)
            if "uploadId" not in asked:
                self.server.objects.pop(key, None)
            self._answer(204, b"")

    def _asked_for(self):
        url = urlsplit(self.path)
        return unquote(url.path).lstrip("/").partition("/")[2], dict(parse_qsl(url.query, keep_blank_values=True))

    def _listed(self):
        """A page of keys, and of what is common to those beyond a delimiter."""
        asked = dict(parse_qsl(urlsplit(self.path).query))
        prefix, delimiter = asked.get("prefix", ""), asked.get("delimiter", "")
        named = sorted({_cut(key, prefix, delimiter) for key in list(self.server.objects) if key.startswith(prefix)})
        rest = [each for each in named if each > asked.get("continuation-token", "")]
        page, more = rest[: self.server.page], rest[self.server.page :]
        found = "".join(map(self._entry, page))
        token = f"<NextContinuationToken>{escape(page[-1])}</NextContinuationToken>" if more else ""
        cut = f"<IsTruncated>{str(bool(more)).lower()}</IsTruncated>{token}"
        self._answer(200, f"<ListBucketResult><Name>{BUCKET}</Name>{cut}{found}</ListBucketResult>".encode())

    def _entry(self, key):
        data = self.server.objects.get(key)
        if data is None:
            return f"<CommonPrefixes><Prefix>{escape(key)}</Prefix></CommonPrefixes>"
        at = datetime.fromtimestamp(self.server.modified.get(key, 1767225600), UTC)
        return (
            f"<Contents><Key>{escape(key)}</Key><LastModified>{at:%Y-%m-%dT%H:%M:%S}.000Z</LastModified>"
            f"<ETag>{_mark(data)}</ETag><Size>{len(data)}</Size></Contents>"
        )

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


def _cut(key, prefix, delimiter):
    """A key, or what it has in common with others: up to the first delimiter after the prefix."""
    inner, found, _ = key[len(prefix) :].partition(delimiter) if delimiter else (key, "", "")
    return f"{prefix}{inner}{delimiter}" if found else key


def _mark(data):
    return f'"{hashlib.md5(data).hexdigest()}"'


if __name__ == "__main__":
    with Store() as alone:
        print(alone.server_port, flush=True)
        alone.serve_forever()
