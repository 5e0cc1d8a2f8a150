"""The looks of the evaluation page: its style sheet, and the rules by which its cases are filtered without a script.

Called by `evaluation_html`. A page is opened from build servers and mail that forbid scripts, so choosing is done by
radio buttons and `:has()`; where a browser knows no `:has()`, every case is shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

STYLE = """
:root { color-scheme: light dark; --text: #1c2226; --soft: #5b666d; --page: #fff; --raised: #f4f6f7; --line: #d9dfe2;
  --right: #2b8a57; --lenient: #d59a2a; --wrong: #c2453d; --rest: #e3e8ea; --accent: #2266aa; }
@media (prefers-color-scheme: dark) { :root { --text: #e6eaec; --soft: #9aa6ad; --page: #15191c; --raised: #1e2428;
  --line: #343d43; --right: #46b47c; --lenient: #dfae4e; --wrong: #ea7a70; --rest: #2b3338; --accent: #7db4ea; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); margin: 0 auto;
  max-width: 64rem; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2.25rem 0 .5rem; }
p { margin: .3rem 0; } .soft, .about { color: var(--soft); } .number { font-variant-numeric: tabular-nums; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .5rem;
  margin: 1.25rem 0 0; }
.figures div { background: var(--raised); border-radius: .4rem; padding: .5rem .75rem; }
.figures dt { color: var(--soft); font-size: .8rem; line-height: 1.3; }
.figures dd { margin: .1rem 0 0; font-weight: 600; }
.wide { overflow-x: auto; } table { border-collapse: collapse; }
th, td { padding: .2rem .9rem .2rem 0; text-align: left; vertical-align: top; } th { font-weight: 500; }
thead th { color: var(--soft); font-size: .8rem; }
.bars { width: 100%; table-layout: fixed; } .bars th { width: 20%; overflow-wrap: anywhere; }
.bars td:nth-child(2) { width: 52%; }
.bar { position: relative; display: flex; height: .75rem; margin-top: .4rem; background: var(--rest);
  border-radius: .2rem; overflow: hidden; }
.bar i { background: var(--right); } .bar b { background: var(--lenient); }
.bar u { position: absolute; top: 0; bottom: 0; width: 3px; margin-left: -1px; background: var(--text); }
.key i, .key b, .key u { display: inline-block; width: .7rem; height: .7rem; margin-right: .3rem;
  border-radius: .15rem; }
.key i { background: var(--right); } .key b { background: var(--lenient); margin-left: .8rem; }
.key u { background: var(--text); width: 3px; margin-left: .8rem; }
fieldset { border: 0; margin: 0 0 .5rem; padding: 0; display: flex; flex-wrap: wrap; gap: .35rem; align-items: center; }
legend { float: left; color: var(--soft); font-size: .8rem; padding: 0; margin-right: .4rem; min-width: 4rem; }
fieldset input { position: absolute; opacity: 0; }
fieldset label { border: 1px solid var(--line); border-radius: 1rem; padding: .1rem .7rem; font-size: .85rem;
  cursor: pointer; }
fieldset input:checked + label { background: var(--accent); border-color: var(--accent); color: var(--page); }
fieldset input:focus-visible + label { outline: 2px solid var(--accent); outline-offset: 2px; }
article { border-top: 1px solid var(--line); } summary { cursor: pointer; padding: .55rem 0; overflow-wrap: anywhere; }
summary:hover { background: var(--raised); }
.id { color: var(--soft); font-size: .85rem; margin-right: .5rem; }
.tag { border-radius: .25rem; padding: .05rem .4rem; font-size: .78rem; margin-right: .5rem; white-space: nowrap;
  background: var(--rest); }
.o-wrong-rows, .o-answered, .o-failed { --tag: var(--wrong); } .o-more-columns { --tag: var(--lenient); }
.tag.out { background: none; border: 1px solid var(--tag, var(--soft)); color: var(--tag, var(--soft)); }
.tag.lost { background: var(--wrong); color: var(--page); }
.body { padding: 0 0 1rem 1rem; } .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1.25rem; }
.sides > section { min-width: 0; }
h3 { font-size: .85rem; margin: .6rem 0 .2rem; color: var(--soft); font-weight: 600; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--raised); padding: .5rem .7rem; margin: .3rem 0;
  border-radius: .3rem; font: 12.5px/1.45 ui-monospace, monospace; }
.rows { font-size: .85rem; margin: .3rem 0; }
.rows td, .rows th { border: 1px solid var(--line); padding: .1rem .5rem; }
ul, ol { margin: .2rem 0; padding-left: 1.2rem; } .none { display: none; }
@media (max-width: 40rem) { .sides { grid-template-columns: 1fr; } .body { padding-left: 0; }
  .figures { grid-template-columns: 1fr 1fr; }
  .bars th { width: 35%; } .bars td:nth-child(2) { width: 27%; } th, td { padding-right: .5rem; } }
@media print { fieldset { display: none; } }
"""


def filter_rules(outcomes: Sequence[str], kinds: Sequence[str], met: Collection[tuple[str, str]]) -> str:
    """What each choice hides; `met` are the pairs of an outcome and a kind that some case has, by their classes."""
    hiding = (f"body:has(#{each}:checked) article:not(.{each}) {{ display: none; }}" for each in (*outcomes, *kinds))
    return "\n".join((*hiding, *_nothing_left(outcomes, kinds, met)))


def _nothing_left(outcomes: Sequence[str], kinds: Sequence[str], met: Collection[tuple[str, str]]) -> Iterator[str]:
    """A choice of both that no case meets says so, in place of an empty page."""
    for outcome in outcomes:
        for kind in kinds:
            if (outcome, kind) not in met:
                yield f"body:has(#{outcome}:checked):has(#{kind}:checked) .none {{ display: block; }}"
