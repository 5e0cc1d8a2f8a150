// What is in the warehouse: tables, and on opening one its columns with keys and statistics.
import { get } from "./api.js";
import { $, button, element, fill, formatOf, labelled, rowsOf, shown } from "./dom.js";
import { edit } from "./editor.js";
import { loadAll } from "./upload.js";

const FEW = 8; // tables that are seen at a glance

export async function open() {
  const { tables } = await get("/schema");
  const list = element("div");
  const find = element("input", "", { type: "search", autocomplete: "off", placeholder: "orders", oninput: () => fill(list, named(tables, find.value).map(folded)) });
  fill(list, tables.map(folded));
  fill($("tables"), tables.length ? [...(tables.length > FEW ? [labelled("Find a table or column", find)] : []), list]
    : [element("p", "Nothing is loaded yet. Drop a file on this page, or load from an address or database under Jobs.")]);
}

// Tables whose name, or a column's, holds the text.
const named = (tables, text) => tables.filter(({ schema, table, columns }) =>
  [`${schema}.${table}`, ...columns.map((column) => column.name)].some((name) => name.toLowerCase().includes(text.trim().toLowerCase())));

function folded(table) {
  const name = `${table.schema}.${table.table}`;
  const made = element("details");
  made.append(element("summary", `${name} · ${table.row_count.toLocaleString("en-US")} rows`));
  made.ontoggle = async () => { if (made.open && made.children.length === 1) made.append(...opened(await get(`/schema/${encodeURIComponent(name)}`), name)); };
  return made;
}

function opened(table, name) {
  const keys = new Map(table.primary_key.map((each) => [each, "primary"]));
  for (const key of table.foreign_keys) for (const each of key.columns) keys.set(each, `→ ${key.references}`);
  const heads = ["column", "type", "key", "distinct", "least", "greatest", "null", "most often", "comment"];
  const columns = table.columns.map((column) => {
    const { minimum, maximum, n_distinct, null_fraction, frequent } = column;
    const show = formatOf(column, [minimum, maximum]);
    const common = n_distinct > table.row_count / 2 ? [] : frequent.map((value) => brief(show(value)));
    return [
      column.name, column.type, keys.get(column.name) ?? "", shown(n_distinct), show(minimum), show(maximum),
      null_fraction ? `${Math.round(null_fraction * 100)} %` : "", common.join(", "), column.comment,
    ];
  });
  const look = button("Look at its rows", () => edit(`SELECT * FROM ${name.split(".").map(quoted).join(".")} LIMIT 1000`));
  return [element("p", table.comment), rowsOf(heads, columns), look];
}

const brief = (text) => text.length > 24 ? `${text.slice(0, 23)}…` : text;

const quoted = (name) => /^[a-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

$("upload").onchange = () => loadAll($("upload").files);
