// One node of dbt's: what it is, how it was built and tested, its columns and its SQL; build it, look at its rows.
import { get, post } from "./api.js";
import { button, code, element, fill, row, rowsOf } from "./dom.js";
import { edit } from "./editor.js";
import { guarded } from "./login.js";

// `graph`: Map(dbt's id → node).
export async function showModel(host, node, graph) {
  const [details, columns] = await Promise.all([get(`/dbt/graph/${encodeURIComponent(node.node)}`), columnsOf(node)]);
  const made = element("section", "", { className: "panel", ariaLabel: node.name });
  made.append(
    element("h2", `${node.schema}.${node.table}`), element("p", node.description || "The project does not describe it."),
    element("p", stateOf(node), { className: node.state === "failed" ? "error" : "pale" }), actions(node),
    linksTo("Made from", node.inputs.map((each) => graph.get(each)).filter(Boolean)),
    linksTo("Goes into", [...graph.values()].filter((each) => each.inputs.includes(node.node))),
    ...folded("Columns", columns ?? details.columns, (found) => rowsOf(["column", "type", "description"], found.map((each) => [each.name, each.type ?? "", each.description ?? each.comment]))),
    ...folded("Tests", Object.entries(details.test_results), (found) => rowsOf(["test", "ended"], found.map(([test, status]) => [test.split(".")[2] ?? test, status || "not run"]))),
    ...folded(`SQL: ${details.path}`, details.code, (text) => code(text)),
    ...folded("SQL as compiled", details.compiled, (text) => code(text), false),
  );
  fill(host, [made]);
}

// As they are in the warehouse; nothing where it is not built.
async function columnsOf(node) {
  try {
    return (await get(`/schema/${encodeURIComponent(`${node.schema}.${node.table}`)}`)).columns;
  } catch (error) {
    if (error.code !== "table_not_found") throw error;
    return null;
  }
}

function stateOf(node) {
  const when = (moment) => new Date(moment).toLocaleString();
  const last = node.failed_at ? `failed ${when(node.failed_at)}` : node.built_at ? `built ${when(node.built_at)}` : node.state;
  return [node.kind, node.materialized, last].filter(Boolean).join(", ");
}

function actions(node) {
  const dbt = (select) => button(`dbt build --select ${select}`, () => guarded(async () => { location.hash = `#jobs/${(await post("/dbt/build", { select })).job_id}`; }));
  const look = button("Look at its rows", () => edit(`SELECT * FROM "${node.schema}"."${node.table}" LIMIT 1000`));
  return row(look, ...(node.kind === "source" ? [] : [dbt(node.name), dbt(`+${node.name}`)]));
}

function linksTo(text, nodes) {
  const made = element("p", nodes.length ? `${text}: ` : "");
  nodes.forEach((each, n) => made.append(n ? ", " : "", element("a", each.name, { href: `#models/${each.node}` })));
  return made;
}

function folded(title, value, shown, open = true) {
  if (!value?.length) return [];
  const made = element("details", "", { open });
  made.append(element("summary", title), shown(value));
  return [made];
}
