// Loads and dbt commands: started here, followed live, cancelled, and those that ended. A job's address is its id.
import { get, post } from "./api.js";
import { $, button, choice, element, fill, form, labelled, named, row, ticked } from "./dom.js";
import { follow } from "./job.js";
import { guarded } from "./login.js";

const PAGE = 50;
const MODES = ["replace", "append", "incremental", "merge"].map((each) => [each]);
const COMMANDS = ["build", "run", "test", "seed", "snapshot", "compile", "docs generate", "source freshness", "deps", "debug"];

// `jobId`: the one to show, or nothing.
export async function open(jobId) {
  const host = $("page-jobs");
  if (!host.firstChild) host.append(...made());
  await guarded(async () => { await Promise.all([showRecipes(), showHistory(), jobId ? show(jobId) : fill($("job"), [])]); });
}

function made() {
  return [
    element("h2", "Load data"), loading(), element("div", "", { id: "recipes" }),
    element("h2", "Run dbt"), running(),
    element("div", "", { id: "job" }),
    element("h2", "Earlier"), element("ul", "", { id: "jobs", className: "list" }), button("More", () => {}, { id: "more-jobs", hidden: true }),
  ];
}

const show = (jobId) => follow($("job"), jobId, () => guarded(showHistory));
const turnTo = ({ job_id }) => { location.hash = `#jobs/${job_id}`; };

// Runs `work`; what is wrong is told in the form.
function telling(host, work) {
  host.replaceChildren();
  return guarded(work, (text) => fill(host, [element("p", text, { className: "error", role: "alert" })]));
}

function loading() {
  const source = element("input", "", { required: true, autocomplete: "off", placeholder: "/data/orders.csv, https://…, postgres://${env:PGUSER}@host/db" });
  const table = element("input", "", { autocomplete: "off", placeholder: "from the source" });
  const mode = choice(MODES);
  const key = element("input", "", { autocomplete: "off", placeholder: "id" });
  const cursor = element("input", "", { autocomplete: "off", placeholder: "updated_at" });
  const more = row(labelled("Key columns", key), labelled("Cursor column", cursor));
  more.hidden = true;
  mode.onchange = () => { more.hidden = !["incremental", "merge"].includes(mode.value); };
  const told = element("div");
  const start = () => telling(told, async () => {
    const config = /^[a-z][a-z0-9+.-]+:[/]{2}/i.test(source.value) ? { url: source.value } : { path: source.value };
    const keys = more.hidden ? {} : { key: key.value || null, cursor: cursor.value || null };
    turnTo(await post("/ingest", { config, target: table.value || null, mode: mode.value, ...keys }));
  });
  return form([
    labelled("A file, folder, address or database, as the server reaches it", source),
    row(labelled("Into table", table), labelled("How", mode)), more, row(element("button", "Load")), told,
  ], start);
}

async function showRecipes() {
  const { recipes } = await get("/ingest/recipes");
  if (!recipes.length) return fill($("recipes"), []);
  const recipe = choice(recipes.map((each) => [each]));
  const told = element("div");
  const start = () => telling(told, async () => {
    const { job_ids } = await post(`/ingest/recipes/${encodeURIComponent(recipe.value)}`);
    turnTo({ job_id: job_ids[0] });
  });
  fill($("recipes"), [form([row(labelled("Or a recipe", recipe)), row(element("button", "Load the recipe")), told], start)]);
}

function running() {
  const command = choice(COMMANDS.map((each) => [each]));
  const select = element("input", "", { autocomplete: "off", placeholder: "all; orders, +orders, tag:daily" });
  const full = element("input", "", { type: "checkbox" });
  const told = element("div");
  const start = () => telling(told, async () => {
    const [name, ...args] = command.value.split(" ");
    turnTo(await post(`/dbt/${name}`, { select: select.value || null, full_refresh: full.checked, args }));
  });
  return form([
    row(labelled("Command", command), labelled("Which models", select)),
    ticked("Build incremental models anew", full), row(element("button", "Run dbt")), told,
  ], start);
}

async function showHistory(before = "") {
  const page = await get(`/jobs?limit=${PAGE}${before ? `&before=${before}` : ""}`);
  const items = page.jobs.map(itemOf);
  if (before) $("jobs").append(...items);
  else fill($("jobs"), items.length ? items : [element("li", "Nothing was loaded or run yet.", { className: "pale" })]);
  $("more-jobs").hidden = !page.next;
  $("more-jobs").onclick = () => guarded(() => showHistory(page.next));
}

function itemOf(job) {
  const item = element("li");
  const when = element("time", new Date(job.created_at).toLocaleString(), { dateTime: job.created_at });
  item.append(element("a", named(job.title || job.kind), { href: `#jobs/${job.job_id}` }), element("span", job.status, { className: `status ${job.status}` }), when);
  return item;
}
