"""Files over HTTP from a real server that breaks, stalls, refuses and changes; Arrow, Avro, fixed width, frames."""

import gzip
import http.server
import socket
import threading

import polars as pl
import pytest

from pluto_duck_backend.app.core.errors import (
    Cancelled,
    EnvironmentFault,
    InvalidInput,
    NotFound,
    PlutoDuckError,
    Refused,
)
from pluto_duck_backend.app.services.ingestion import IngestRequest

ROWS = 20_000
DATA = ("id,name\n" + "".join(f"{n},name {n}\n" for n in range(ROWS))).encode()


class _Server(http.server.ThreadingHTTPServer):
    """Serves `data`; `behave` is what it does wrong, once for each entry."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.data, self.behave, self.asked, self.mark = DATA, [], [], '"v1"'
        self.stop, self.waited_out = threading.Event(), threading.Event()


class _Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        server = self.server
        server.asked.append(dict(self.headers))
        how = server.behave.pop(0) if server.behave else ""
        if how == "silent":
            server.stop.wait(20)
            server.waited_out.set()
        if how.isdigit():
            self.send_error(int(how))
            return
        if how == "changed":
            server.data, server.mark = DATA.replace(b"name", b"NAME"), '"v2"'
        start = self._start()
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(server.data) - start))
        self.send_header("ETag", server.mark)
        self.end_headers()
        rest = server.data[start:]
        broken = how in ("break", "stall")
        self.wfile.write(rest[: len(rest) * 3 // 10] if broken else rest)
        self.wfile.flush()
        if how == "stall":
            server.stop.wait(20)

    def _start(self):
        given = self.headers.get("Range", "")
        wanted = given and self.headers.get("If-Range") == self.server.mark
        return int(given.removeprefix("bytes=").rstrip("-")) if wanted else 0


@pytest.fixture
def web():
    server = _Server()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.stop.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def get(bench, web):
    def load(name="orders.csv", config=None, **options):
        url = f"http://127.0.0.1:{web.server_port}/{name}"
        request = IngestRequest.from_dict({"config": {"url": url, **(config or {})}, **options})
        *_, result = bench.service.load(request, cancelled=lambda: False)
        return result.tables[0]

    return load


def _is_whole(bench, table="orders"):
    return bench.rows(f"SELECT count(*), sum(id) FROM {table}") == [(ROWS, ROWS * (ROWS - 1) // 2)]


def test_a_file_behind_an_address_is_loaded(bench, get):
    assert get().table == "orders"
    assert _is_whole(bench)
    assert bench.service.sources()[0]["source"].startswith("http://127.0.0.1:")


@pytest.mark.parametrize("name", ["download", "export?format=csv", "orders.csv.gz"])
def test_what_it_is_shows_in_the_name_or_the_bytes(bench, web, get, name):
    if name.endswith("gz"):
        web.data = gzip.compress(DATA)
    get(name, target="orders")
    assert _is_whole(bench)


def test_a_connection_that_breaks_at_a_third_is_taken_up_again(bench, web, get):
    web.behave = ["break", "break", "break"]
    get()
    assert _is_whole(bench)
    assert sum("Range" in each for each in web.asked) == 3


def test_a_connection_that_stalls_is_taken_up_again(bench, web, get):
    bench.service._settings.stall_s = 0.5
    web.behave = ["stall"]
    get()
    assert _is_whole(bench)
    assert len(web.asked) == 2


def test_a_load_from_a_silent_server_is_cancelled_before_it_says_anything(bench, web):
    web.behave = ["silent"]
    request = IngestRequest.from_dict({"config": {"url": f"http://127.0.0.1:{web.server_port}/orders.csv"}})
    with pytest.raises(Cancelled):
        list(bench.service.load(request, cancelled=lambda: bool(web.asked)))
    assert not web.waited_out.is_set()
    assert bench.tables() == []


def test_a_file_that_changes_in_the_middle_is_read_from_its_beginning(bench, web, get):
    web.behave = ["break", "changed"]
    get()
    assert bench.rows("SELECT count(*) FROM orders WHERE name LIKE 'NAME%'") == [(ROWS,)]


def test_a_server_that_is_busy_is_asked_again(bench, web, get):
    web.behave = ["503", "429"]
    get()
    assert _is_whole(bench)


@pytest.mark.parametrize(
    ("behave", "error", "words"),
    [
        (["404"], NotFound, "nothing at http"),
        (["403"], Refused, "is not for you"),
        (["503"] * 9, EnvironmentFault, "answers 503"),
        (["break"] * 99, EnvironmentFault, "broke off after"),
    ],
)
def test_what_stays_wrong_is_said_and_changes_nothing(bench, web, get, behave, error, words):
    get()
    web.behave = behave
    web.mark = ""
    with pytest.raises(error, match=words):
        get()
    assert _is_whole(bench)
    web.behave = []
    get()
    assert _is_whole(bench)


def test_an_address_where_nobody_listens_is_said(bench):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(EnvironmentFault, match=f"Nothing answers at {place}, .*refused") as caught:
            bench.load(f"http://{place}/orders.csv")
    assert (caught.value.retryable, "the port" in caught.value.hint) == (True, True)


def test_a_server_without_a_certificate_is_said(bench, web):
    with pytest.raises(EnvironmentFault, match=f"No secure connection to 127.0.0.1:{web.server_port}"):
        bench.load(f"https://127.0.0.1:{web.server_port}/orders.csv")


def test_headers_carry_a_secret_that_is_not_kept(bench, web, get, monkeypatch):
    monkeypatch.setenv("API_TOKEN", "t0ken-t0ken")
    get(config={"headers": {"Authorization": "Bearer ${env:API_TOKEN}"}})
    assert web.asked[0]["Authorization"] == "Bearer t0ken-t0ken"
    assert all(b"t0ken-t0ken" not in each.read_bytes() for each in bench.paths.root.rglob("*") if each.is_file())


@pytest.mark.parametrize(
    ("name", "headers"),
    [
        ("orders.csv", {"Authorization": "Bearer t0ken-t0ken"}),
        ("orders.csv", {"X-Api-Key": "t0ken-t0ken"}),
        ("orders.csv", {"Cookie": "session=t0ken-t0ken"}),
        ("orders.csv?sv=1&sig=t0ken-t0ken", {}),
        ("orders.csv?X-Amz-Signature=t0ken-t0ken&part=1", {}),
        ("orders.csv?access_token=t0ken-t0ken#top", {}),
    ],
)
def test_a_secret_that_is_written_out_is_used_and_neither_kept_nor_told(bench, web, get, name, headers):
    get(name, config={"headers": headers}, target="orders")
    assert headers.items() <= web.asked[0].items()
    assert all(b"t0ken-t0ken" not in each.read_bytes() for each in bench.paths.root.rglob("*") if each.is_file())
    assert "orders.csv" in bench.service.sources()[0]["source"]
    web.behave = ["404"]
    with pytest.raises(NotFound) as caught:
        get(name, config={"headers": headers})
    assert "t0ken" not in caught.value.message and "orders.csv" in caught.value.message


def test_a_reference_in_a_header_or_parameter_is_kept_for_the_next_load(bench, web, get, monkeypatch):
    monkeypatch.setenv("API_TOKEN", "t0ken-t0ken")
    get("orders.csv?token=${env:API_TOKEN}", {"headers": {"Authorization": "Bearer ${env:API_TOKEN}"}}, target="orders")
    kept = bench.service.sources()[0]["request"]["config"]
    assert kept["headers"] == {"Authorization": "Bearer ${env:API_TOKEN}"}
    assert kept["url"].endswith("orders.csv?token=${env:API_TOKEN}")


@pytest.mark.parametrize(
    "url",
    [
        "http://me:t0ken@[::1/a.csv",
        "http://me:t0ken@host:port/a.csv",
        "http://a\nb/a.csv",
        "postgresql://me:t0ken@[::1/shop",
        "mysql://me:t0ken@host:port/shop",
    ],
)
def test_an_address_that_is_none_is_told_without_what_it_holds(get, url):
    with pytest.raises(InvalidInput, match="is no address") as caught:
        get(config={"url": url})
    assert "t0ken" not in caught.value.message


@pytest.mark.parametrize("url", ["http://", "https:///a.csv", "http://" + "a" * 300 + "/a.csv", "http://1.2.3.4.5.6/a"])
def test_an_address_where_nobody_can_be_is_an_error_of_ours(get, url):
    with pytest.raises((InvalidInput, EnvironmentFault)):
        get(config={"url": url}, retries=0)


def test_errors_and_rejects_name_the_address(bench, web, get):
    web.data = b"id,name\n1,a\n2\n3,c\n"
    get()
    assert bench.rows("SELECT source LIKE 'http://127%/orders.csv', line FROM orders_rejects") == [(True, 3)]
    with pytest.raises(InvalidInput, match=r"http://127\.0\.0\.1:\d+/orders\.csv, line 3"):
        get(max_rejects=0)


FRAME = pl.DataFrame({"id": [1, 2], "name": ["a", None], "at": pl.Series([0, 1]).cast(pl.Datetime("us"))})


@pytest.mark.parametrize("ending", ["arrow", "feather", "arrows", "avro"])
def test_columnar_files_keep_their_types(bench, tmp_path, ending):
    path = tmp_path / f"t.{ending}"
    {"arrows": FRAME.write_ipc_stream, "avro": FRAME.write_avro}.get(ending, FRAME.write_ipc)(path)
    bench.load(path)
    assert bench.types("t") == {"id": "BIGINT", "name": "VARCHAR", "at": "TIMESTAMP"}
    assert bench.rows("SELECT id, name FROM t ORDER BY id") == [(1, "a"), (2, None)]


@pytest.mark.parametrize(
    ("name", "data"), [("t.arrow", b"ARROW1\0\0junk"), ("t.avro", b"Obj\x01junk"), ("t.avro", b"x")]
)
def test_a_damaged_columnar_file_is_said(bench, write, name, data):
    with pytest.raises(InvalidInput, match=name):
        bench.load(write(name, data))


def test_columns_of_fixed_width(bench, write):
    path = write("t.fwf", "id  name  amount\n1   ann    12.50\n23  bob     3.00\n")
    request = IngestRequest("auto", {"path": str(path), "widths": [4, 6, 6]})
    list(bench.service.load(request, cancelled=lambda: False))
    assert bench.rows("FROM t") == [(1, "ann", 12.5), (23, "bob", 3.0)]
    bench.load(path, table="found")
    assert bench.rows("FROM found") == bench.rows("FROM t")
    with pytest.raises(PlutoDuckError, match="needs `widths`"):
        bench.load(write("t.fwf", "0001ann1250\n0023bob0300\n"))


def _frame_load(bench, frame, **options):
    *_, result = bench.service.load(IngestRequest("frame", {"frame": frame}, "t", **options), cancelled=lambda: False)
    return result.tables[0]


@pytest.mark.parametrize("make", [lambda: FRAME, lambda: FRAME.lazy(), lambda: FRAME.clear()])
def test_frames_of_this_process(bench, make):
    frame = make()
    assert _frame_load(bench, frame).rows == pl.DataFrame(frame.lazy().collect()).height
    assert bench.types("t") == {"id": "BIGINT", "name": "VARCHAR", "at": "TIMESTAMP"}
    assert "DataFrame" in bench.service.sources()[0]["source"]


def test_a_frame_merges_and_reads_on(bench):
    _frame_load(bench, FRAME, mode="merge", key=("id",))
    result = _frame_load(bench, FRAME.with_columns(name=pl.lit("z")), mode="merge", key=("id",))
    assert (result.inserted, result.updated) == (0, 2)
    assert _frame_load(bench, FRAME, mode="incremental", cursor="id", key=("id",)).updated == 1


def test_what_is_no_frame_is_said(bench):
    with pytest.raises(InvalidInput, match="needs config"):
        _frame_load(bench, [1, 2])
