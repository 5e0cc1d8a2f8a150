"""Breaks good SQL as models do: one function a kind, named in tests/fixtures/repair/breakages.jsonl.

`break_(kind, sql, catalog, random)` gives a model's reply, or None where that kind cannot be done to this SQL.
"""

import json
import re
from pathlib import Path

from sqlglot import exp, parse_one

KINDS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "fixtures/repair/breakages.jsonl").read_text().splitlines()
]


def break_(kind, sql, catalog, random):
    """The reply, or None."""
    tree = parse_one(sql, dialect="duckdb")
    broken = globals()[kind](tree, catalog, random)
    if isinstance(broken, exp.Expr):
        broken = broken.sql("duckdb")
    return broken if broken and broken != parse_one(sql, dialect="duckdb").sql("duckdb") else None


def _columns(tree):
    aliases = {each.alias for each in tree.find_all(exp.Alias)}
    return [
        each for each in tree.find_all(exp.Column) if isinstance(each.this, exp.Identifier) and each.name not in aliases
    ]


def _tables(tree):
    return list(tree.find_all(exp.Table))


def _pick(nodes, random):
    return random.choice(nodes) if nodes else None


def _rename_column(tree, random, rename):
    """One column renamed wherever it stands, as a model that remembers it wrong would."""
    options = {each.name: new for each in _columns(tree) if (new := rename(each.name)) and new != each.name}
    name = _pick(sorted(options), random)
    for each in _columns(tree):
        if each.name == name:
            each.set("this", exp.to_identifier(options[name]))
    return tree if name else None


def _rename_table(tree, random, rename):
    options = {each.name: new for each in _tables(tree) if (new := rename(each.name)) and new != each.name}
    name = _pick(sorted(options), random)
    for each in tree.find_all(exp.Table):
        if each.name == name:
            each.set("this", exp.to_identifier(options[name]))
    for each in tree.find_all(exp.Column):
        if each.table == name:
            each.set("table", exp.to_identifier(options[name]))
    return tree if name else None


def _misspelt(random):
    def rename(name):
        if len(name) < 6:
            return None
        place = random.randrange(2, len(name) - 1)
        return random.choice([name[:place] + name[place + 1 :], name[:place] + name[place] + name[place:],
                              name[:place] + name[place + 1] + name[place] + name[place + 2 :]])  # fmt: skip

    return rename


def _plural(name):
    return name[:-1] if name.lower().endswith("s") and not name.lower().endswith("ss") else name + "s"


def _separated(name):
    if "_" in name:
        return re.sub(r"_(\w)", lambda found: found[1].upper(), name)
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower() if re.search(r"[a-z][A-Z]", name) else None


def _vowels_dropped(name):
    parts = [part[0] + re.sub(r"[aeiou]", "", part[1:]) if len(part) > 4 else part for part in name.split("_")]
    short = "_".join(parts)
    return short if len(short) > 2 and short != name else None


def column_misspelt(tree, catalog, random):
    return _rename_column(tree, random, _misspelt(random))


def column_plural(tree, catalog, random):
    return _rename_column(tree, random, _plural)


def column_separated(tree, catalog, random):
    return _rename_column(tree, random, _separated)


def column_abbreviated(tree, catalog, random):
    return _rename_column(tree, random, _vowels_dropped)


def column_prefixed(tree, catalog, random):
    """customers.name as customer_name."""
    if len({each.name for each in _tables(tree)}) != 1:
        return None
    table = _tables(tree)[0].name.lower().rstrip("s")
    return _rename_column(tree, random, lambda name: None if name.lower().startswith(table) else f"{table}_{name}")


def column_of_other_table(tree, catalog, random):
    """T1.name where only T2 has it."""
    names = sorted({each.alias_or_name for each in _tables(tree)})
    columns = [each for each in _columns(tree) if each.table]
    column = _pick(columns, random)
    if column is None or len(names) != 2:
        return None
    other = next(name for name in names if name != column.table)
    table = next(each.name for each in _tables(tree) if each.alias_or_name == other)
    if any(each.column(column.name) for each in catalog.tables if each.name.casefold() == table.casefold()):
        return None
    column.set("table", exp.to_identifier(other))
    return tree


def table_misspelt(tree, catalog, random):
    return _rename_table(tree, random, _misspelt(random))


def table_plural(tree, catalog, random):
    return _rename_table(tree, random, _plural)


def table_separated(tree, catalog, random):
    return _rename_table(tree, random, _separated)


def table_abbreviated(tree, catalog, random):
    return _rename_table(tree, random, _vowels_dropped)


def schema_of_elsewhere(tree, catalog, random):
    schema = random.choice(["dbo", "public", "mydb"])
    for each in _tables(tree):
        each.set("db", exp.to_identifier(schema))
    return tree


def alias_forgotten(tree, catalog, random):
    """`FROM singer AS t1` and then `singer.name`."""
    aliased = [each for each in _tables(tree) if each.alias]
    table = _pick(aliased, random)
    if table is None or sum(each.name == table.name for each in aliased) > 1:
        return None
    for each in tree.find_all(exp.Column):
        if each.table == table.alias:
            each.set("table", exp.to_identifier(table.name))
    return tree


def join_missing(tree, catalog, random):
    """A table whose columns are used is not joined."""
    joins = [each for each in tree.find_all(exp.Join) if each.args.get("on")]
    joined = [each for each in joins if _used_beyond(each, tree)]
    if not joined:
        return None
    joined[-1].pop()
    return tree


def _used_beyond(join, tree):
    name = join.this.alias_or_name
    last = join.parent.args["joins"][-1] is join
    return last and any(each.table == name and not each.find_ancestor(exp.Join) for each in _columns(tree))


def join_without_condition(tree, catalog, random):
    join = _pick([each for each in tree.find_all(exp.Join) if each.args.get("on")], random)
    if join is None:
        return None
    join.set("on", None)
    return tree


def join_condition_invented(tree, catalog, random):
    join = _pick([each for each in tree.find_all(exp.Join) if isinstance(each.args.get("on"), exp.EQ)], random)
    if join is None or not isinstance(join.args["on"].expression, exp.Column):
        return None
    join.args["on"].expression.set("this", exp.to_identifier(f"{join.this.name}_ref_key"))
    return tree


def _texts(tree):
    around = (exp.EQ, exp.In, exp.NEQ)
    found = [each for each in tree.find_all(exp.Literal) if each.is_string and isinstance(each.parent, around)]
    return [each for each in found if any(letter.isalpha() for letter in each.name)]


def value_case(tree, catalog, random):
    text = _pick(_texts(tree), random)
    if text is None:
        return None
    text.replace(exp.Literal.string(text.name.upper() if text.name != text.name.upper() else text.name.lower()))
    return tree


def value_misspelt(tree, catalog, random):
    text = _pick([each for each in _texts(tree) if len(each.name) > 6], random)
    if text is None:
        return None
    text.replace(exp.Literal.string(_misspelt(random)(text.name)))
    return tree


def value_spaced(tree, catalog, random):
    """Blanks, hyphens and points of a text set otherwise."""
    text = _pick([each for each in _texts(tree) if re.search(r"[ .-]", each.name)], random)
    if text is None:
        return None
    text.replace(exp.Literal.string(re.sub(r"[ .-]+", random.choice(["_", "-", "  "]), text.name)))
    return tree


def value_in_double_quotes(tree, catalog, random):
    texts = _texts(tree)
    if not texts:
        return None
    for each in texts:
        each.replace(exp.column(exp.to_identifier(each.name, quoted=True)))
    return tree


def pattern_in_lower_case(tree, catalog, random):
    likes = [each for each in tree.find_all(exp.Like) if each.expression.name != each.expression.name.lower()]
    like = _pick(likes, random)
    if like is None:
        return None
    like.set("expression", exp.Literal.string(like.expression.name.lower()))
    return tree


def group_by_missing(tree, catalog, random):
    group = tree.args.get("group")
    shown = [each.sql() for each in tree.selects if isinstance(each, exp.Column)]
    if not group or tree.args.get("having") or sorted(shown) != sorted(each.sql() for each in group.expressions):
        return None
    if not tree.find(exp.AggFunc) or not any(
        isinstance(each, exp.AggFunc) or each.find(exp.AggFunc) for each in tree.selects
    ):
        return None
    tree.set("group", None)
    return tree


def group_by_lenient(tree, catalog, random):
    """A column neither grouped nor aggregated, as MySQL and SQLite allow."""
    anys = list(tree.find_all(exp.AnyValue))
    if not anys:
        return None
    for each in anys:
        each.replace(each.this.copy())
    return tree


def aggregate_in_where(tree, catalog, random):
    having = tree.args.get("having")
    if not having or tree.args.get("where"):
        return None
    tree.set("where", exp.Where(this=having.this.copy()))
    tree.set("having", None)
    return tree


def number_for_text(tree, catalog, random):
    texts = [each for each in tree.find_all(exp.Literal) if each.is_string and re.fullmatch(r"[1-9]\d*", each.name)]
    text = _pick([each for each in texts if isinstance(each.parent, exp.EQ)], random)
    if text is None:
        return None
    text.replace(exp.Literal.number(text.name))
    return tree


def mysql(tree, catalog, random):
    text = tree.sql("mysql", identify=True)
    return re.sub(r"LIMIT (\d+)$", r"LIMIT 0, \1", text) if "||" not in tree.sql("duckdb") else None


def tsql(tree, catalog, random):
    plain = not tree.find(exp.AnyValue)  # of which SQL Server has nothing
    return tree.sql("tsql", identify=True) if tree.args.get("limit") and plain else None


def bigquery(tree, catalog, random):
    for each in _tables(tree):
        each.set("db", exp.to_identifier("analytics"))
        each.set("catalog", exp.to_identifier("my-project", quoted=True))
    return tree.sql("bigquery", identify=True)


def snowflake(tree, catalog, random):
    texts = _texts(tree)
    return tree.sql("snowflake").replace("COUNT(*)", "COUNT_IF(TRUE)") if texts or tree.find(exp.Count) else None


def fenced(tree, catalog, random):
    block = f"```sql\n{tree.sql('duckdb', pretty=True)};\n```"
    return f"Here is the query you asked for:\n\n{block}\n\nIt joins what is needed and returns one row for each match."


def prose(tree, catalog, random):
    after = "This query counts the rows; note that the result may be empty."
    return f"To answer this, select the rows from the table with the filter.\n\n{tree.sql('duckdb')}\n\n{after}"


def prose_in_line(tree, catalog, random):
    return f"Sure! The SQL is: {tree.sql('duckdb')};\nLet me know if you need anything else."


def json_reply(tree, catalog, random):
    return json.dumps({"reasoning": "We select from the table.", "sql": tree.sql("duckdb"), "confidence": 0.8})


def json_fenced(tree, catalog, random):
    return f"```json\n{json.dumps({'sql': tree.sql('duckdb', pretty=True)}, indent=2)}\n```"


def json_cut(tree, catalog, random):
    return '{"sql": ' + json.dumps(tree.sql("duckdb")) + ', "explanation": "this is cut sho'


def thoughts(tree, catalog, random):
    return f"<think>I could SELECT everything; DROP TABLE would be wrong.</think>\n{tree.sql('duckdb')};"


def semicolons(tree, catalog, random):
    return f"-- the answer\n{tree.sql('duckdb')};;\n-- done\n"
