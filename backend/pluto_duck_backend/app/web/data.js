// What is in the warehouse: tables, and on opening one its columns with keys and statistics.
import { get } from "./api.js";
import { $, button, element, shown } from "./dom.js";
import { edit, knowTables } from "./editor.js";

export async function showData() {
  const { tables } = await get("/schema");
  knowTables(tables);
  $("tables").replaceChildren(...tables.map(folded));
  if (!tables.length) $("tables").textContent = "The warehouse is empty. Load a file: pluto-duck ingest FILE";
}

function folded(table) {
  const name = `${table.schema}.${table.table}`;
  const made = element("details");
  made.append(element("summary", `${name} · ${table.row_count.toLocaleString("en-US")} rows`));
  made.ontoggle = async () => { if (made.open && made.children.length === 1) made.append(...opened(await get(`/schema/${name}`), name)); };
  return made;
}

function opened(table, name) {
  const keys = new Map(table.primary_key.map((each) => [each, "primary"]));
  for (const key of table.foreign_keys) for (const each of key.columns) keys.set(each, `→ ${key.references}`);
  const heads = ["column", "type", "key", "distinct", "least", "greatest", "null", "comment"];
  const grid = element("table");
  grid.append(rowOf(heads, "th"), ...table.columns.map((column) => rowOf([
    column.name, column.type, keys.get(column.name) ?? "", shown(column.n_distinct), shown(column.minimum), shown(column.maximum),
    column.null_fraction ? `${Math.round(column.null_fraction * 100)} %` : "", column.comment,
  ], "td")));
  const scroll = element("div", "", { className: "scroll" });
  scroll.append(grid);
  const look = button("Look at its rows", () => edit(`SELECT * FROM ${name.split(".").map(quoted).join(".")} LIMIT 1000`));
  return [element("p", table.comment), scroll, look];
}

const quoted = (name) => /^[a-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

function rowOf(cells, kind) {
  const row = element("tr");
  row.append(...cells.map((cell) => element(kind, cell)));
  return row;
}
