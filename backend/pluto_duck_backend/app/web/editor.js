// SQL by hand: completion of tables, columns and words, run with Ctrl+Enter, cancelled with Escape.
import { get, post } from "./api.js";
import { completer, wordAtEnd } from "./completion.js";
import { $, attributes, button, code, element, fill } from "./dom.js";
import { turnTo } from "./parts.js";
import { showResult } from "./result.js";

let complete = completer([]);
let running = "";
let isUnwanted = false; // cancelled, perhaps before its id was known
let chosen = -1; // the completion that the arrow keys are at

// What is there can be completed.
export async function open() {
  complete = completer((await get("/schema")).tables);
  if (document.activeElement === $("sql-text")) offer();
}

export function edit(sql) {
  location.hash = "#sql";
  turnTo("sql");
  $("sql-text").value = sql;
  $("sql-text").focus();
}

async function run() {
  const sql = $("sql-text").value.trim();
  if (!sql || running) return;
  close();
  $("sql-state").textContent = "Running …";
  $("sql-result").querySelector(".error")?.parentElement.replaceChildren();
  $("sql-cancel").hidden = false;
  try {
    isUnwanted = false;
    running = (await post("/query", { sql, max_rows: 200 })).job_id;
    if (isUnwanted) await cancel();
    const job = await get(`/query/${running}?wait=true`);
    if (job.status === "cancelled") cancelled();
    else if (job.error) failed(job.error.message, job.error.hint);
    else succeeded(job);
  } catch (error) {
    failed(error.message);
  }
  running = "";
  $("sql-cancel").hidden = true;
}

function succeeded(job) {
  $("sql-state").textContent = `${Math.round(job.elapsed_ms)} ms`;
  showResult($("sql-result"), job, job.row_count > 0);
  $("sql-result").append(pinning(job.job_id));
}

function cancelled() {
  $("sql-state").textContent = "Cancelled.";
  fill($("sql-result"), []);
}

// DuckDB points below the line at what it means.
function failed(message, hint = "") {
  $("sql-state").textContent = "Failed.";
  const told = attributes(code(message), { role: "alert" });
  told.className = "error";
  fill($("sql-result"), [told, element("p", hint)]);
}

function pinning(jobId) {
  const made = element("div", "", { className: "row tools" });
  made.append(button("Pin to a board", async () => (await import("./pin.js")).offer(made, { job_id: jobId })));
  return made;
}

function cancel() {
  isUnwanted = true;
  return running && post(`/query/${running}/cancel`);
}

const before = () => $("sql-text").value.slice(0, $("sql-text").selectionStart);

function offer() {
  const words = complete(before(), $("sql-text").value);
  fill($("sql-words"), words.map((name, n) => attributes(
    element("li", name, { id: `sql-word-${n}`, onmousedown: (event) => { event.preventDefault(); accept(name); } }), { role: "option" })));
  $("sql-words").hidden = words.length === 0;
  choose(-1);
  if (words.length) place();
}

// Below the word that is typed.
function place() {
  const area = $("sql-text");
  const lines = before().slice(0, before().length - wordAtEnd(before()).length).split("\n");
  const { paddingTop, paddingLeft, lineHeight, font } = getComputedStyle(area);
  const pen = Object.assign(document.createElement("canvas").getContext("2d"), { font });
  const left = parseFloat(paddingLeft) + pen.measureText(lines.at(-1)).width - area.scrollLeft;
  const top = parseFloat(paddingTop) + lines.length * parseFloat(lineHeight) - area.scrollTop;
  const room = area.clientWidth - $("sql-words").offsetWidth;
  Object.assign($("sql-words").style, { left: `${Math.max(0, Math.min(left, room))}px`, top: `${Math.min(top, area.offsetHeight)}px` });
}

function choose(n) {
  const items = [...$("sql-words").children];
  chosen = items.length && n !== -1 ? (n + items.length) % items.length : -1;
  items.forEach((item, at) => item.setAttribute("aria-selected", at === chosen));
  $("sql-text").setAttribute("aria-activedescendant", items[chosen]?.id ?? "");
}

function close() { $("sql-words").hidden = true; choose(-1); }

function accept(name) {
  const area = $("sql-text");
  const end = area.selectionStart;
  area.setRangeText(name, end - wordAtEnd(before()).length, end, "end");
  close();
  area.focus();
}

// Tab takes the first completion, or the one that the arrows are at; that one Enter takes as well.
function onkeydown(event) {
  const words = $("sql-words").hidden ? [] : [...$("sql-words").children];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const isChosen = event.key === "Tab" || (event.key === "Enter" && chosen !== -1);
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); }
  else if (words.length && step) { event.preventDefault(); choose(chosen === -1 && step < 0 ? words.length - 1 : chosen + step); }
  else if (words.length && isChosen) { event.preventDefault(); accept(words[Math.max(chosen, 0)].textContent); }
  else if (event.key === "Escape") { if (words.length) close(); else cancel(); }
}

Object.assign($("sql-text"), { oninput: offer, onblur: close, onkeydown });
$("sql-run").onclick = run;
$("sql-cancel").onclick = cancel;
