"""Builds the demo shop, writes its files, tells its truths.

Called by `pluto-duck demo` and tests. The truths are those of the clean shop: whoever cleans the files well
arrives at them exactly.
"""

from pathlib import Path

from pluto_duck_backend.app.services.demo.campaigns import build_spend
from pluto_duck_backend.app.services.demo.draw import stream
from pluto_duck_backend.app.services.demo.files import write_files
from pluto_duck_backend.app.services.demo.goods import build_products
from pluto_duck_backend.app.services.demo.people import build_customers
from pluto_duck_backend.app.services.demo.sales import build_lines, build_orders, build_returns
from pluto_duck_backend.app.services.demo.shop import Shop
from pluto_duck_backend.app.services.demo.truth import DemoTruth, tell

FILES = {
    "crm.sqlite": ("customers", "products"),
    "orders.csv": ("orders",),
    "order_lines.csv": ("order_lines",),
    "returns.csv": ("returns",),
    "marketing_spend.parquet": ("marketing_spend",),
}
"""Each file and the tables of schema `raw` that come from it."""

_CUSTOMERS, _PRODUCTS, _ORDERS = 4000, 240, 25000


def generate(folder: Path, *, seed: int = 7, scale: float = 1.0) -> DemoTruth:
    """Writes the files of FILES into `folder` (made if missing) and returns what is true of them.

    Scale 1 is about 100,000 rows; customers and orders grow with it, products and marketing spend do not.
    A scale of zero or less raises ValueError.
    """
    if scale <= 0:
        raise ValueError(f"The scale of the demo must be above zero, not {scale}.")
    shop = build(seed, scale)
    folder.mkdir(parents=True, exist_ok=True)
    write_files(folder, shop, seed)
    return tell(shop)


def build(seed: int, scale: float) -> Shop:
    """The clean shop."""
    customers = build_customers(stream(seed, "customers"), max(20, round(_CUSTOMERS * scale)))
    products = build_products(stream(seed, "products"), _PRODUCTS)
    orders = build_orders(stream(seed, "orders"), customers, max(1, round(_ORDERS * scale)))
    lines = build_lines(stream(seed, "lines"), orders, products)
    returns = build_returns(stream(seed, "returns"), orders, lines, products)
    return Shop(customers, products, orders, lines, returns, build_spend(stream(seed, "spend")))
