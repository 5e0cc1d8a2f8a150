// A question: asked, its run's events followed, its final object shown. The events are the state; a reload follows again.
import { download, eventsOf, post } from "./api.js";
import { $, button, element, fill } from "./dom.js";
import { guarded } from "./login.js";
import { loaded, turnTo } from "./parts.js";

// The plan's steps tick off by these: with four steps each has one, of another number a share is done with each.
const STAGES = ["schema", "sql", "verifier", "finalize"];
const FORMS = ["html", "md", "xlsx"];
let conversation = null;
let following = new AbortController();

export async function open() {
  $("question").focus();
  const isEmpty = () => $("answer").hidden && $("how").hidden;
  if (isEmpty()) await (await loaded("start")).showStart($("start"));
  $("start").hidden = !isEmpty();
}

export async function ask(question) {
  await told(async () => {
    reset();
    const run = await post("/agent/run", { question, conversation_id: conversation });
    conversation = run.conversation_id;
    history.pushState(null, "", `#${run.run_id}`);
    turnTo("ask");
    await follow(run.run_id);
  });
}

export async function follow(runId) {
  following.abort();
  const { signal } = (following = new AbortController());
  reset();
  loaded("result"); // what shows its rows is there when they are
  $("cancel").hidden = false;
  $("cancel").onclick = () => told(() => post(`/agent/${runId}/cancel`));
  for await (const event of eventsOf(`/agent/${runId}/events`, signal)) await show(event);
  if (!signal.aborted) hideCancel();
}

function hideCancel() {
  if (document.activeElement === $("cancel")) $("question").focus();
  $("cancel").hidden = true;
}

// What fails is told among the steps.
const told = (work) => guarded(work, (text) => { hideCancel(); showError(text); });

const SHOWN = {
  "run.start": (content) => { $("question").value = content.question; conversation = content.conversation_id; },
  "reasoning.chunk": (content) => content.message && step(content.message),
  "tool.end": (content) => {
    if (content.tool === "lookup") return step(`${content.name} was called, outside of the data.`);
    if (content.tool === "planner") plan(content.plan);
    if (isDone(content)) tick(STAGES.indexOf(content.tool) + 1);
    if (content.tool === "schema") step(tablesOf(content));
    if (content.error) step(content.error.message);
  },
  "run.chunk": (content) => content.message && step(content.message),
  "message.final": (content, runId) => { end(content.status); return showFinal(content, runId); },
  "run.end": (content) => { if (content.status === "cancelled") step("Cancelled."); else $("how").open = false; },
  "run.error": (content) => showError([content.message, content.hint].filter(Boolean).join(" ")),
};

function plan(steps) {
  fill($("plan"), steps.map((each) => element("li", each.description)));
}

// A step that failed, or that found no SQL, is none that was done.
const isDone = ({ tool, error, sql }) => !error && (tool !== "sql" || sql);

function end(status) {
  if (status === "succeeded") return tick(STAGES.length);
  const stopped = $("plan").querySelector("li:not(.done)");
  if (stopped) stopped.className = status === "needs_input" ? "asked" : "stopped";
}

function tick(stages) {
  const steps = [...$("plan").children];
  steps.slice(0, Math.floor(steps.length * stages / STAGES.length)).forEach((each) => { each.className = "done"; });
}

async function show(event) {
  await SHOWN[`${event.type}.${event.subtype}`]?.(event.content, event.run_id);
}

function tablesOf(content) {
  const tables = content.schema_preview.map((table) => table.table).join(", ") || "none";
  const values = content.values.map((value) => `${value.column} = ${value.value}`).join(", ");
  return `Tables: ${tables}${values ? `; values: ${values}` : ""}`;
}

async function showFinal(final, runId) {
  const asks = final.clarification;
  $("answer").hidden = false;
  $("text").textContent = asks ? asks.question : final.rows.length ? titleOf(final) || $("question").value : plain(final.answer);
  fill($("options"), (asks?.options ?? []).map((option) => button(option, () => ask(option))));
  fill($("result"), []);
  if (final.rows.length) (await loaded("result")).showResult($("result"), final, Boolean(final.chart));
  fill($("notes"), [...(final.reading ?? []), ...final.caveats].map((line) => element("li", line)));
  fill($("verdict"), []);
  if (!asks) (await loaded("verdict")).showVerdict($("verdict"), runId, final, { question: $("question").value, ask });
  $("told").textContent = final.sql ? factsOf(final) : "";
  $("query").hidden = !final.sql;
  $("sql").textContent = final.sql ?? "";
  $("ran").textContent = final.job_id ?? "";
  $("edit").onclick = async () => (await loaded("editor")).edit(final.sql);
  fill($("exports"), final.sql ? exportsOf(runId) : []);
  fill($("pin"), []);
  fill($("next"), (final.next ?? []).map((message) => button(message, () => ask(message))));
  if (asks) { $("question").value = ""; $("question").focus(); }
}

function exportsOf(runId) {
  const pin = async () => (await import("./pin.js")).offer($("pin"), { run_id: runId });
  const reports = FORMS.map((form) => button(`Report .${form}`, () => told(() => download(`/agent/${runId}/export?format=${form}`, `report.${form}`))));
  return [button("Pin to a board", pin), ...reports];
}

function factsOf({ confidence, usage, provider }) {
  return [`confidence ${Math.round(confidence * 100)} %`, `${(usage.elapsed_ms / 1000).toFixed(1)} s`, provider].join(" · ");
}

// Its first sentence; nothing where it begins with the rows.
const titleOf = ({ answer }) => answer.startsWith("|") ? "" : plain(answer.split("\n")[0]);

// An answer's words without their Markdown.
const plain = (markdown) => markdown.replaceAll("**", "").replace(/\\([\\[<|])/g, "$1");

function step(text, className = "") {
  $("how").hidden = false;
  $("steps").append(element("li", text, { className }));
}
function reset() {
  fill($("plan"), []);
  fill($("steps"), []);
  $("how").hidden = true;
  $("how").open = true;
  $("answer").hidden = $("start").hidden = true;
}

function showError(text) {
  step(text, "error");
  $("how").open = true;
}

$("ask").onsubmit = (event) => { event.preventDefault(); ask($("question").value); };
$("fresh").onclick = () => {
  following.abort();
  conversation = null;
  history.replaceState(null, "", "#ask");
  reset();
  $("question").value = "";
  $("question").focus();
};
