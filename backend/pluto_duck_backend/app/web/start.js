// What stands below the question before anything was asked: what there is to ask about, or how to load something.
import { get } from "./api.js";
import { element, fill } from "./dom.js";

const NAMED = 8;
const EARLIER = 5;

export async function showStart(host) {
  const [{ tables }, { runs }] = await Promise.all([get("/schema"), get(`/agent?limit=${EARLIER}`)]);
  fill(host, tables.length ? [about(tables), ...earlier(runs)] : [empty()]);
}

const link = (text, href) => element("a", text, { href });

function empty() {
  const made = element("p", "Nothing is loaded yet. Drop a file anywhere on this page, or load from an address or database under ");
  made.append(link("Jobs", "#jobs"), ".");
  return made;
}

function about(tables) {
  const names = [...new Set(tables.map(({ table }) => table.replaceAll("_", " ")))];
  const made = element("p", `There is data about ${names.slice(0, NAMED).join(", ")}${names.length > NAMED ? " and more" : ""}: `, { className: "pale" });
  made.append(link(`${tables.length} ${tables.length === 1 ? "table" : "tables"}`, "#data"));
  return made;
}

function earlier(runs) {
  if (!runs.length) return [];
  const list = element("ul", "", { className: "list" });
  list.append(...runs.map((run) => { const item = element("li"); item.append(link(run.question, `#${run.run_id}`)); return item; }));
  return [element("h2", "Asked before"), list];
}
