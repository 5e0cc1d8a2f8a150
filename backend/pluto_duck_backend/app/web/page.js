// The page: asks, follows the run's events, shows the final object. The events are the state; a reload follows again.
import { Unauthorized, download, eventsOf, keepToken, post } from "./api.js";
import { showData } from "./data.js";
import { $, button, element } from "./dom.js";
import { edit } from "./editor.js";
import { showHistory } from "./history.js";
import { showResult } from "./result.js";
import "./upload.js";

const PAGES = { ask: () => $("question").focus(), sql: () => showData(), data: () => showData(), history: () => showHistory() };
// The plan's steps tick off by these: with four steps each has one, of another number a share is done with each.
const STAGES = ["schema", "sql", "verifier", "finalize"];
const FORMS = ["html", "md", "xlsx"];
let conversation = null;
let following = new AbortController();
let afterLogin = null;

async function ask(question) {
  await guarded(async () => {
    reset();
    const run = await post("/agent/run", { question, conversation_id: conversation });
    conversation = run.conversation_id;
    history.pushState(null, "", `#${run.run_id}`);
    turnTo("ask");
    await follow(run.run_id);
  });
}

async function follow(runId) {
  following.abort();
  const { signal } = (following = new AbortController());
  reset();
  $("cancel").hidden = false;
  $("cancel").onclick = () => guarded(() => post(`/agent/${runId}/cancel`));
  for await (const event of eventsOf(`/agent/${runId}/events`, signal)) show(event);
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
    if (content.tool === "planner") plan(content.plan);
    tick(STAGES.indexOf(content.error ? "" : content.tool) + 1);
    if (content.tool === "schema") step(tablesOf(content));
    if (content.error) step(content.error.message);
  },
  "run.chunk": (content) => content.message && step(content.message),
  "message.final": (content, runId) => { tick(STAGES.length); showFinal(content, runId); },
  "run.end": (content) => content.status === "cancelled" && step("Cancelled."),
  "run.error": (content) => showError([content.message, content.hint].filter(Boolean).join(" ")),
};

function plan(steps) {
  fill($("plan"), steps.map((each) => element("li", each.description)));
}

function tick(stages) {
  const steps = [...$("plan").children];
  steps.slice(0, Math.floor(steps.length * stages / STAGES.length)).forEach((each) => { each.className = "done"; });
}

function show(event) {
  SHOWN[`${event.type}.${event.subtype}`]?.(event.content, event.run_id);
}

function tablesOf(content) {
  const tables = content.schema_preview.map((table) => table.table).join(", ") || "none";
  const values = content.values.map((value) => `${value.column} = ${value.value}`).join(", ");
  return `Tables: ${tables}${values ? `; values: ${values}` : ""}`;
}

function showFinal(final, runId) {
  const asks = final.clarification;
  $("answer").hidden = false;
  $("text").textContent = asks ? asks.question : final.rows.length ? titleOf(final) : final.answer;
  fill($("options"), (asks?.options ?? []).map((option) => button(option, () => ask(option))));
  fill($("result"), []);
  if (final.rows.length) showResult($("result"), final, Boolean(final.chart));
  fill($("notes"), [...(final.reading ?? []), ...final.caveats].map((line) => element("li", line)));
  $("query").hidden = !final.sql;
  $("sql").textContent = final.sql ?? "";
  $("edit").onclick = () => edit(final.sql);
  fill($("exports"), final.sql ? FORMS.map((form) => button(`Report .${form}`, () => guarded(() => download(`/agent/${runId}/export?format=${form}`, `report.${form}`)))) : []);
  fill($("next"), (final.next ?? []).map((message) => button(message, () => ask(message))));
  if (asks) { $("question").value = ""; $("question").focus(); }
}

const titleOf = (final) => final.answer.split("\n")[0].replaceAll("**", "");
function fill(parent, children) { parent.replaceChildren(...children); }
function step(text) { $("steps").append(element("li", text)); }
function reset() { fill($("plan"), []); fill($("steps"), []); $("answer").hidden = true; }

function showError(text) {
  const item = element("li", text);
  item.className = "error";
  $("steps").append(item);
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
$("login").onsubmit = (event) => {
  event.preventDefault();
  keepToken($("token").value);
  $("login").hidden = true;
  afterLogin?.();
};

function turnTo(page) {
  for (const name of Object.keys(PAGES)) $(`page-${name}`).hidden = name !== page;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${page}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function open() {
  const name = location.hash.slice(1);
  const page = name in PAGES ? name : "ask";
  turnTo(page);
  guarded(() => name.startsWith("run-") ? follow(name) : PAGES[page]());
}

addEventListener("hashchange", open);
open();
