// The page: asks, follows the run's events, shows the final object. The events are the state; a reload follows again.
const $ = (id) => document.getElementById(id);
const api = "/api/v1";
let conversation = null;
let source = null;

async function call(path, body) {
  const answer = await fetch(api + path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body ?? {}),
  });
  const document_ = await answer.json();
  if (!answer.ok) throw new Error([document_.detail, document_.hint].filter(Boolean).join(" "));
  return document_;
}

async function ask(question) {
  reset();
  try {
    const run = await call("/agent/run", { question, conversation_id: conversation });
    conversation = run.conversation_id;
    location.hash = run.run_id;
    follow(run.run_id);
  } catch (error) {
    showError(error.message);
  }
}

function follow(runId) {
  source?.close();
  reset();
  $("cancel").hidden = false;
  $("cancel").onclick = () => call(`/agent/${runId}/cancel`).catch((error) => showError(error.message));
  source = new EventSource(`${api}/agent/${runId}/events`);
  source.onmessage = (message) => show(JSON.parse(message.data));
}

function show(event) {
  const { type, subtype, content } = event;
  if (type === "run" && subtype === "start") {
    $("question").value = content.question;
    conversation = content.conversation_id;
  }
  if (type === "reasoning" && subtype === "chunk") step(content.message);
  if (type === "tool" && subtype === "end" && content.tool === "schema") step(tablesOf(content));
  if (type === "tool" && subtype === "end" && content.error) step(content.error.message);
  if (type === "message" && subtype === "final") showFinal(content);
  if (type === "run" && subtype === "error") showError([content.message, content.hint].filter(Boolean).join(" "));
  if (type === "run" && (subtype === "end" || subtype === "error")) finish();
}

function tablesOf(content) {
  const tables = content.schema_preview.map((table) => table.table).join(", ") || "none";
  const values = content.values.map((value) => `${value.column} = ${value.value}`).join(", ");
  return `Tables: ${tables}${values ? `; values: ${values}` : ""}`;
}

function showFinal(final) {
  $("answer").hidden = false;
  $("text").textContent = final.rows.length ? titleOf(final) : final.answer;
  $("sql").textContent = final.sql ?? "";
  fill($("options"), (final.clarification?.options ?? []).map((option) => {
    const button = document.createElement("button");
    button.textContent = option;
    button.onclick = () => ask(option);
    return button;
  }));
  fill($("notes"), [...final.reading, ...final.caveats].map((line) => element("li", line)));
  fill($("table"), final.rows.length ? [headOf(final), ...final.rows.map(rowOf)] : []);
}

const titleOf = (final) => final.answer.split("\n")[0].replaceAll("**", "");
const headOf = (final) => row(final.columns.map((column) => element("th", column.name)));
const rowOf = (cells) => row(cells.map((cell) => {
  const td = element("td", typeof cell === "object" && cell !== null ? JSON.stringify(cell) : cell ?? "–");
  if (typeof cell === "number") td.className = "number";
  return td;
}));

function row(cells) { const tr = document.createElement("tr"); tr.append(...cells); return tr; }
function element(name, text) { const made = document.createElement(name); made.textContent = text; return made; }
function fill(parent, children) { parent.replaceChildren(...children); }
function step(text) { $("steps").append(element("li", text)); }
function finish() { source?.close(); $("cancel").hidden = true; }
function reset() { fill($("steps"), []); $("answer").hidden = true; }

function showError(text) {
  finish();
  const item = element("li", text);
  item.className = "error";
  $("steps").append(item);
}

$("ask").onsubmit = (event) => { event.preventDefault(); ask($("question").value); };
if (location.hash.startsWith("#run-")) follow(location.hash.slice(1));
