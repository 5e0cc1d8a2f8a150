"""What tells names apart that are alike otherwise, in any of the words for it: `average` says `mean`, `USD` dollars."""

from __future__ import annotations

from pluto_duck_text2sql.language.words import root, spoken_stems, stem, tokenise

_ALIKE = tuple(
    frozenset(map(stem, group.split()))
    for group in (
        "average avg mean",
        "maximum max highest greatest",
        "minimum min lowest least",
        "usd dollar",
        "eur euro",
        "gbp pound sterling",
    )
)


def roots_said(question: str) -> frozenset[str]:
    """The roots of what a question says, and of what names have for it."""
    stems = spoken_stems(tokenise(question))
    alike = (each for group in _ALIKE if not stems.isdisjoint(group) for each in group)
    return frozenset(map(root, (*stems, *alike)))
