"""The products of the demo shop.

Called by generator. Names are unique: brand and noun until they run out, then a model number is added.
"""

from random import Random

from pluto_duck_backend.app.services.demo import vocabulary as words
from pluto_duck_backend.app.services.demo.shop import Product


def build_products(rng: Random, count: int) -> tuple[Product, ...]:
    """`count` products with ids 1 … count, categories in turn."""
    names = list(words.CATEGORIES)
    seen: dict[str, int] = {}
    return tuple(_product(rng, number, names[number % len(names)], seen) for number in range(1, count + 1))


def _product(rng: Random, number: int, category: str, seen: dict[str, int]) -> Product:
    brand, kind = rng.choice(words.BRANDS), words.CATEGORIES[category]
    price = rng.randint(*kind.prices) * 100 + rng.choice((0, 49, 95, 99))
    return Product(
        product_id=number,
        name=_unique(f"{brand} {rng.choice(kind.nouns)}", seen),
        category=category,
        brand=brand,
        price=price,
        cost=price * rng.randint(40, 68) // 100,
    )


def _unique(name: str, seen: dict[str, int]) -> str:
    seen[name] = seen.get(name, 0) + 1
    return name if seen[name] == 1 else f"{name} {seen[name]}"
