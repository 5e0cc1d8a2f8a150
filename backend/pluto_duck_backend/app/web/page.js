// The page: asks, follows the run's events, shows the final object. The events are the state; a reload follows again.
import { Unauthorized, eventsOf, keepToken, post } from "./api.js";

const $ = (id) => document.getElementById(id);
let conversation = null;
let following = new AbortController();
let afterLogin = null;

async function ask(question) {
  await guarded(async () => {
    reset();
    const run = await post("/agent/run", { question, conversation_id: conversation });
    conversation = run.conversation_id;
    history.replaceState(null, "", `#${run.run_id}`);
    await follow(run.run_id);
  });
}

async function follow(runId) {
  following.abort();
  const { signal } = (following = new AbortController());
  reset();
  $("cancel").hidden = false;
  $("cancel").onclick = () => guarded(() => post(`/agent/${runId}/cancel`));
  for await (const event of eventsOf(runId, signal)) show(event);
  if (!signal.aborted) $("cancel").hidden = true;
}

// Runs `work`; where the server wants a token, runs it again once the user has given one.
async function guarded(work) {
  try {
    await work();
  } catch (error) {
    $("cancel").hidden = true;
    if (!(error instanceof Unauthorized)) return showError(error.message);
    afterLogin = () => guarded(work);
    $("login").hidden = false;
    $("token").focus();
  }
}

const SHOWN = {
  "run.start": (content) => { $("question").value = content.question; conversation = content.conversation_id; },
  "reasoning.chunk": (content) => content.message && step(content.message),
  "tool.end": (content) => {
    if (content.tool === "schema") step(tablesOf(content));
    if (content.error) step(content.error.message);
  },
  "message.final": (content) => showFinal(content),
  "run.end": (content) => content.status === "cancelled" && step("Cancelled."),
  "run.error": (content) => showError([content.message, content.hint].filter(Boolean).join(" ")),
};

function show(event) {
  SHOWN[`${event.type}.${event.subtype}`]?.(event.content);
}

function tablesOf(content) {
  const tables = content.schema_preview.map((table) => table.table).join(", ") || "none";
  const values = content.values.map((value) => `${value.column} = ${value.value}`).join(", ");
  return `Tables: ${tables}${values ? `; values: ${values}` : ""}`;
}

function showFinal(final) {
  const asks = final.clarification;
  $("answer").hidden = false;
  $("text").textContent = asks ? asks.question : final.rows.length ? titleOf(final) : final.answer;
  fill($("options"), (asks?.options ?? []).map(optionOf));
  fill($("table"), final.rows.length ? [headOf(final), ...final.rows.map(rowOf)] : []);
  $("count").textContent = final.truncated ? `${final.rows.length} of ${final.row_count} rows` : "";
  fill($("notes"), [...(final.reading ?? []), ...final.caveats].map((line) => element("li", line)));
  $("query").hidden = !final.sql;
  $("sql").textContent = final.sql ?? "";
  if (asks) { $("question").value = ""; $("question").focus(); }
}

const titleOf = (final) => final.answer.split("\n")[0].replaceAll("**", "");
const headOf = (final) => row(final.columns.map((column) => element("th", column.name)));
const rowOf = (cells) => row(cells.map((cell) => {
  const td = element("td", typeof cell === "object" && cell !== null ? JSON.stringify(cell) : cell ?? "–");
  if (typeof cell === "number") td.className = "number";
  return td;
}));

function optionOf(option) {
  const button = element("button", option);
  button.type = "button";
  button.onclick = () => ask(option);
  return button;
}

function row(cells) { const tr = document.createElement("tr"); tr.append(...cells); return tr; }
function element(name, text) { const made = document.createElement(name); made.textContent = text; return made; }
function fill(parent, children) { parent.replaceChildren(...children); }
function step(text) { $("steps").append(element("li", text)); }
function reset() { fill($("steps"), []); $("answer").hidden = true; }

function showError(text) {
  const item = element("li", text);
  item.className = "error";
  $("steps").append(item);
}

$("ask").onsubmit = (event) => { event.preventDefault(); ask($("question").value); };
$("fresh").onclick = () => {
  following.abort();
  conversation = null;
  history.replaceState(null, "", location.pathname);
  reset();
  $("question").value = "";
  $("question").focus();
};
$("login").onsubmit = (event) => {
  event.preventDefault();
  keepToken($("token").value);
  $("login").hidden = true;
  afterLogin?.();
};
if (location.hash.startsWith("#run-")) guarded(() => follow(location.hash.slice(1)));
