"""Objects of a store that speaks S3: keys, patterns, folders; refusals, breaks and changes in the middle."""

import gzip

import polars as pl
import pytest
from tests.ingestion import cloud_servers, object_server

from pluto_duck_backend.app.core.errors import Cancelled, InvalidInput, NotFound, PlutoDuckError, Refused
from pluto_duck_backend.app.services.ingestion import IngestRequest

pytest.importorskip("obstore", reason="the package obstore is not installed")
ROWS = 20_000
DATA = ("id,name\n" + "".join(f"{n},name {n}\n" for n in range(ROWS))).encode()


@pytest.fixture(scope="module")
def running():
    with object_server.running() as store:
        yield store


@pytest.fixture
def store(running, tmp_path):
    frame = pl.DataFrame({"id": [1, 2], "name": ["a", None]})
    frame.write_parquet(tmp_path / "p.parquet")
    parquet = (tmp_path / "p.parquet").read_bytes()
    running.behave, running.asked = [], []
    running.objects = {
        "orders.csv": DATA,
        "in/2024/a b.csv": b"id,name\n1,a\n",
        "in/2025/c.csv.gz": gzip.compress(b"id,name\n2,b\n"),
        "in/2025/deep/d.csv": b"id,name\n3,c\n",
        "in/2025/readme.md": b"# words",
        "in/2025/empty.csv": b"",
        "t/one.parquet": parquet,
        "t/two.parquet": parquet,
        "broken.csv": b"id,name\n1,a\n2\n3,c\n",
    }
    return running


@pytest.fixture
def get(bench, store):
    def load(key, bucket=object_server.BUCKET, options=None, **more):
        config = {"url": f"s3://{bucket}/{key}", "options": {**store.options, **(options or {})}}
        *_, result = bench.service.load(
            IngestRequest.from_dict({"config": config, "retries": 0, **more}), cancelled=lambda: False
        )
        return {each.table: each.rows for each in result.tables}

    return load


@pytest.mark.parametrize(
    ("key", "target", "tables"),
    [
        ("orders.csv", None, {"orders": ROWS}),
        ("in/2024/a b.csv", None, {"a_b": 1}),
        ("t/*.parquet", None, {"one": 2, "two": 2}),
        ("t/*.parquet", "both", {"both": 4}),
        ("t/", "both", {"both": 4}),
        ("in/2025/", "found", {"found": 1}),
        ("in/**/*.csv*", "found", {"found": 3}),
        ("in/*/?.csv", "found", None),
    ],
)
def test_keys_patterns_and_folders(get, key, target, tables):
    if tables is None:
        with pytest.raises(NotFound, match=r"No object matches s3://lake/in/\*/\?\.csv"):
            get(key, target=target)
    else:
        assert get(key, target=target) == tables


def test_credentials_come_from_the_environment(bench, store, monkeypatch):
    monkeypatch.setenv("STORE_SECRET", object_server.SECRET)
    config = {
        "url": "s3://lake/t/one.parquet",
        "options": {**store.options, "secret_access_key": "${env:STORE_SECRET}"},
    }
    list(bench.service.load(IngestRequest.from_dict({"config": config}), cancelled=lambda: False))
    assert bench.service.sources()[0]["source"] == "s3://lake/t/one.parquet"
    assert all(object_server.SECRET.encode() not in each.read_bytes() for each in bench.paths.root.rglob("*.json*"))


@pytest.mark.parametrize(
    ("key", "changes", "error", "words"),
    [
        ("orders.csv", {"bucket": "nowhere"}, NotFound, r"nothing at s3://nowhere/orders\.csv: NoSuchBucket"),
        ("in/*.csv", {"bucket": "nowhere"}, NotFound, "s3://nowhere: NoSuchBucket"),
        ("gone.csv", {}, NotFound, r"nothing at s3://lake/gone\.csv: NoSuchKey"),
        (
            "orders.csv",
            {"options": {"secret_access_key": "wr0ng-wr0ng"}},
            Refused,
            "not for you: SignatureDoesNotMatch",
        ),
        ("orders.csv", {"options": {"acces_key": "x"}}, InvalidInput, "acces_key"),
        ("in/2025/empty.csv", {}, InvalidInput, r"s3://lake/in/2025/empty\.csv is empty"),
        ("orders.csv", {"options": {"endpoint": "http://127.0.0.1:9"}}, PlutoDuckError, "cannot be read"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(bench, get, key, changes, error, words):
    get("orders.csv")
    with pytest.raises(error, match=words) as caught:
        get(key, **changes)
    assert "s3cret" not in str(caught.value) + str(caught.value.hint)
    assert "wr0ng" not in str(caught.value) + str(caught.value.hint)
    assert bench.rows("SELECT count(*) FROM orders") == [(ROWS,)]


def test_a_transfer_that_breaks_is_taken_up_again(bench, store, get):
    store.behave = ["break", "break"]
    get("orders.csv")
    assert bench.rows("SELECT count(*), sum(id) FROM orders") == [(ROWS, ROWS * (ROWS - 1) // 2)]
    assert any(each.get("range", "").startswith("bytes=") for each in store.asked)


def test_a_transfer_that_stalls_is_taken_up_again(bench, store, get):
    bench.service._settings.stall_s = 0.5
    store.behave = ["stall"]
    get("orders.csv")
    assert bench.rows("SELECT count(*), sum(id) FROM orders") == [(ROWS, ROWS * (ROWS - 1) // 2)]
    assert len(store.asked) == 2


def test_a_load_from_a_store_that_stalls_is_cancelled(bench, store):
    store.behave = ["stall"]
    request = IngestRequest.from_dict({"config": {"url": "s3://lake/orders.csv", "options": store.options}})
    with pytest.raises(Cancelled):
        list(bench.service.load(request, cancelled=lambda: bool(store.asked)))
    assert bench.tables() == []


def test_an_object_that_changes_in_the_middle_is_read_from_its_beginning(bench, store, get):
    store.behave = ["break", "changed"]
    get("orders.csv")
    assert bench.rows("SELECT count(*) FROM orders WHERE NAME LIKE 'NAME%'") == [(ROWS,)]


def test_a_store_that_always_breaks_leaves_the_table_as_it_was(bench, store, get):
    get("orders.csv")
    store.behave = ["break"] + ["drop"] * 99
    with pytest.raises(PlutoDuckError, match=r"s3://lake/orders\.csv"):
        get("orders.csv")
    assert bench.rows("SELECT count(*) FROM orders") == [(ROWS,)]
    store.behave = []
    get("orders.csv")


def test_errors_and_rejects_name_the_object(bench, get):
    get("broken.csv")
    assert bench.rows("SELECT source, line FROM broken_rejects") == [("s3://lake/broken.csv", 3)]


@pytest.mark.parametrize("make", [cloud_servers.Google, cloud_servers.Azure])
def test_google_and_azure_are_read_alike(bench, make):
    with object_server.running(make) as store:
        store.objects = {"in/orders.csv": DATA, "in/deep/more.csv": b"id,name\n7,x\n"}
        store.behave = ["break"]

        def load(key, **options):
            config = {"url": f"{store.url}/{key}", "options": {**store.options, **options}}
            request = IngestRequest.from_dict({"config": config, "target": "t", "retries": 0})
            *_, result = bench.service.load(request, cancelled=lambda: False)
            return result.tables[0].rows

        assert load("in/orders.csv") == ROWS
        assert any(each.get("range", "").startswith("bytes=") for each in store.asked)
        assert load("in/**/*.csv") == ROWS + 1
        with pytest.raises(NotFound, match=rf"nothing at {store.url}/gone\.csv"):
            load("gone.csv")
        with pytest.raises(Refused, match="not for you") as caught:
            load("in/orders.csv", token="wr0ng-wr0ng")
        assert "wr0ng" not in str(caught.value) + str(caught.value.hint)
        assert bench.rows("SELECT count(*) FROM t") == [(ROWS + 1,)]
