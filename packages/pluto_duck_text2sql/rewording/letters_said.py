"""Letters of names as both readers know them: `with a z in their surname` is with a surname that contains the letter z.

Called by `rewordings`; `corrections.letters` looks for them. `an A in their course` is a mark: only of names.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern

_HAVING = r"(?P<have>with|having|have|has|had|containing|contains?)"
_LETTER = r"(?:an?|the letters?) [\"'“‘]?(?P<letter>[a-z])[\"'”’]?"
_NAME = r"(?P<name>(?:[a-z]+ )?(?:name|surname|title|nickname|e-?mail))s?"
_SAID = Pattern(
    rf"\b{_HAVING} {_LETTER} (?:anywhere |somewhere )?in (?:their|its|his|her|the) {_NAME}\b", re.IGNORECASE
)
_VERBS = {"contain": "have", "contains": "has", "containing": "with"}


def with_letters_said(question: str) -> str:
    """The question with the letter as what the name contains."""

    def said(found: re.Match[str]) -> str:
        verb = _VERBS.get(found["have"].lower(), found["have"])
        return f"{verb} a {found['name']} that contains the letter {found['letter']}"

    return _SAID.sub(said, question)
