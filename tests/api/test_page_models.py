"""dbt's lineage on the page: drawn in layers, walked by keyboard, read as a list, at two hundred models."""

import pytest
from playwright.sync_api import expect

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.dbt_models import ColumnFacts, Models, Relation, write_models

LAYERS = [20, 60, 60, 40, 20]


def _models(folder):
    """200 nodes in five layers; each reads two of the layer before, every fifth one of the first, too."""
    found, before = [], []
    for layer, count in enumerate(LAYERS):
        names = [f"{'raw' if layer == 0 else f'm{layer}'}_{n}" for n in range(count)]
        for n, name in enumerate(names):
            kind = "source" if layer == 0 else "model"
            inputs = [before[n * 7 % len(before)], before[(n * 3 + 1) % len(before)]] if before else []
            far = [f"source.shop.raw_{n % 20}"] if layer > 1 and n % 5 == 0 else []
            found.append(
                Relation(
                    f"{kind}.shop.{name}", "main", name, kind, "shop", "" if layer == 0 else "table",
                    f"models/{name}.sql", f"All about {name}.", {"id": ColumnFacts(f"Key of {name}.")},
                    inputs=tuple(dict.fromkeys(inputs + far)), built_at="2026-11-21T10:00:00+00:00" if layer else "",
                    failed_at="2026-11-21T11:00:00+00:00" if name == "m4_0" else "",
                    tests={f"test.shop.unique_{name}": "fail" if name == "m4_1" else "pass"},
                )
            )  # fmt: skip
        before = [f"{'source' if layer == 0 else 'model'}.shop.{name}" for name in names]
    (folder / "models").mkdir(parents=True)
    (folder / "models" / "m4_0.sql").write_text("SELECT id FROM {{ ref('m3_0') }}")
    return Models(tuple(found), {"shop": str(folder)})


@pytest.fixture
def shown(page, tmp_path):
    write_models(load_settings(tmp_path / "root").paths.create(), _models(tmp_path / "project"))
    return page(path="/#models")


def test_two_hundred_models_are_drawn_left_to_right_and_found(shown):
    nodes = shown.locator("#lineage a")
    expect(nodes).to_have_count(200)
    places = shown.evaluate(
        """() => import("/web/layout.js").then(async ({ layout }) => {
          const { nodes } = await (await fetch("/api/v1/dbt/graph")).json();
          const { places, edges } = layout(nodes);
          return { edges: edges.map(({ from, to, via }) => [places.get(from).layer, places.get(to).layer, via.length]),
                   taken: nodes.map(({ node }) => JSON.stringify(places.get(node))) };
        })"""
    )
    assert all(to > start and via == to - start - 1 for start, to, via in places["edges"])
    assert len(set(places["taken"])) == 200
    shown.get_by_label("Find").fill("m4_1")
    expect(shown.get_by_role("status")).to_contain_text("11 of 200 nodes")
    assert 11 < nodes.count() < 200


def test_a_node_shows_what_it_is_and_what_it_is_made_from(shown):
    shown.get_by_role("link", name="m4_0: model, failed, 1 of 1 tests passed").first.click()
    model = shown.get_by_role("region", name="m4_0")
    expect(model.get_by_text("All about m4_0.")).to_be_visible()
    expect(model.locator(".error")).to_contain_text("failed")
    expect(model.get_by_text("SELECT id FROM {{ ref('m3_0') }}")).to_be_visible()
    expect(model.get_by_role("cell", name="Key of m4_0.")).to_be_visible()
    expect(shown.locator("#lineage [aria-current]")).to_have_count(1)
    model.get_by_role("link", name="m3_0", exact=True).click()
    expect(shown.get_by_role("region", name="m3_0")).to_be_visible()
    shown.reload()
    expect(shown.get_by_role("region", name="m3_0")).to_be_visible()


def test_the_keyboard_walks_along_the_lines_and_a_list_says_the_same(shown):
    first = shown.locator("#lineage a[tabindex='0']")
    first.focus()
    for key, layer in (("ArrowRight", "m1_"), ("ArrowRight", "m2_"), ("ArrowDown", "m2_"), ("ArrowLeft", "m1_")):
        shown.keyboard.press(key)
        assert shown.evaluate("document.activeElement.dataset.node").startswith(f"model.shop.{layer}")
    shown.keyboard.press("Enter")
    expect(shown.locator("#model h2")).to_contain_text("main.m1_")
    shown.get_by_text("As a list").click()
    expect(shown.locator("#model-list li")).to_have_count(200)
    expect(shown.locator("#model-list li").filter(has_text="m4_1:")).to_contain_text("1 failed – made from")
