"""The words of the demo shop: what exists, how often, and how people misspell it.

Read by the builders and by dirt. A first spelling is the canonical one; `dbt_project/macros/canonical.sql`
must know every other spelling, which tests/demo checks by building the marts.
Weights are whole numbers, so a draw is the same on every machine.
"""

from typing import NamedTuple


class Country(NamedTuple):
    """Share of customers in percent, cities, spellings other than the canonical one."""

    weight: int
    cities: tuple[str, ...]
    spellings: tuple[str, ...]


class Category(NamedTuple):
    """Nouns, price range in whole euros, returned lines in percent, months of double demand."""

    nouns: tuple[str, ...]
    prices: tuple[int, int]
    return_percent: int
    peak: frozenset[int]


COUNTRIES = {
    "Germany": Country(24, ("Berlin", "Hamburg", "Munich", "Cologne"), ("germany ", "DE", "GERMANY")),
    "France": Country(17, ("Paris", "Lyon", "Marseille"), ("france", "FR", " France")),
    "United Kingdom": Country(15, ("London", "Manchester", "Leeds"), ("UK", "united kingdom", "GB")),
    "Netherlands": Country(10, ("Amsterdam", "Rotterdam", "Utrecht"), ("netherlands", "NL")),
    "Spain": Country(9, ("Madrid", "Barcelona", "Valencia"), ("spain", "ES", "Spain ")),
    "Italy": Country(8, ("Milan", "Rome", "Turin"), ("italy", "IT")),
    "Poland": Country(6, ("Warsaw", "Krakow", "Gdansk"), ("poland", "PL")),
    "Austria": Country(5, ("Vienna", "Graz"), ("austria ", "AT")),
    "Sweden": Country(4, ("Stockholm", "Gothenburg"), ("sweden", "SE")),
    "Ireland": Country(2, ("Dublin", "Cork"), ("ireland", "IE")),
}
SEGMENTS = {"Consumer": 70, "Small Business": 22, "Corporate": 8}
# fmt: off
FIRST_NAMES = (
    "Anna", "Ben", "Clara", "David", "Elena", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Katja", "Liam",
    "Marta", "Nils", "Olga", "Paul", "Rosa", "Simon", "Tara", "Ugo", "Vera", "Willem", "Yara", "Zoe",
    "Amir", "Bianca", "Carlos", "Dana", "Emil", "Freya", "Gabriel", "Hana",
)
LAST_NAMES = (
    "Adler", "Baker", "Conti", "Dubois", "Evans", "Fischer", "Garcia", "Hansen", "Ivanova", "Jansen",
    "Kowalski", "Lopez", "Moreau", "Novak", "Olsen", "Peters", "Quinn", "Rossi", "Schmidt", "Taylor",
    "Ullrich", "Vogel", "Weber", "Young", "Zeller", "Bauer", "Costa", "Dekker", "Lind", "Murphy",
)
# fmt: on

BRANDS = ("Alder", "Brightside", "Corvo", "Dunmore", "Everlane", "Fjord", "Grano", "Halden")
_NONE: frozenset[int] = frozenset()
CATEGORIES = {
    "Electronics": Category(
        ("Headphones", "Speaker", "Keyboard", "Monitor", "Charger", "Webcam"),
        (19, 399),
        8,
        frozenset({11, 12}),
    ),
    "Clothing": Category(("Jacket", "T-Shirt", "Jeans", "Sweater", "Trainers", "Scarf"), (12, 149), 13, _NONE),
    "Home": Category(("Desk Lamp", "Bookshelf", "Rug", "Cushion", "Mirror", "Clock"), (9, 229), 5, _NONE),
    "Kitchen": Category(("Kettle", "Saucepan", "Knife Set", "Mug", "Blender", "Toaster"), (7, 159), 4, _NONE),
    "Garden": Category(
        ("Planter", "Hose", "Parasol", "Rake", "Lantern", "Bench"), (8, 249), 3, frozenset({4, 5, 6, 7})
    ),
    "Toys": Category(
        ("Puzzle", "Train Set", "Doll House", "Kite", "Board Game", "Robot"), (6, 99), 6, frozenset({11, 12})
    ),
}

STATUSES = {
    "completed": ("Completed", "COMPLETED", "complete"),
    "cancelled": ("Cancelled", "canceled", "CANCELLED"),
    "pending": ("Pending", "pending "),
}
CHANNELS = {
    "Web": (46, ("web", "WEB", "website")),
    "Mobile App": (30, ("mobile app", "app", "Mobile-App")),
    "Marketplace": (17, ("marketplace", "Market Place")),
    "Phone": (7, ("phone", "telephone ")),
}
REASONS = {"Wrong size": 26, "Changed mind": 27, "Damaged": 20, "Not as described": 17, "Arrived late": 10}
REASON_SPELLINGS = {reason: (reason.lower(), reason.upper(), f"{reason} ") for reason in REASONS}

AD_CHANNELS = {
    "Search": (21000, ("search", "SEARCH", "Paid Search")),
    "Social": (15000, ("social", "Social Media")),
    "Display": (9000, ("display", "Display Ads")),
    "Affiliate": (6000, ("affiliate", "affiliates")),
    "Newsletter": (1800, ("newsletter", "News Letter")),
}
