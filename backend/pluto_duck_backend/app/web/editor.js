// SQL by hand: completion of tables, columns and words, run with Ctrl+Enter, cancelled with Escape.
import { get, post } from "./api.js";
import { $, attributes, element } from "./dom.js";
import { showResult } from "./result.js";

const WORDS = "SELECT FROM WHERE GROUP BY ORDER BY HAVING LIMIT JOIN LEFT JOIN ON AS COUNT(*) SUM( AVG( MIN( MAX( DISTINCT BETWEEN CASE WHEN THEN ELSE END".split(" ");
const MOST = 8;
let names = WORDS;
let running = "";

export function knowTables(tables) {
  const columns = tables.flatMap((table) => table.columns.map((column) => column.name));
  names = [...new Set([...tables.map((table) => `${table.schema}.${table.table}`), ...columns, ...WORDS])];
}

export function edit(sql) {
  location.hash = "#sql";
  $("sql-text").value = sql;
  $("sql-text").focus();
}

async function run() {
  const sql = $("sql-text").value.trim();
  if (!sql || running) return;
  $("sql-state").textContent = "Running …";
  $("sql-cancel").hidden = false;
  try {
    running = (await post("/query", { sql, max_rows: 200 })).job_id;
    const job = await get(`/query/${running}?wait=true`);
    if (job.error) throw new Error([job.error.message, job.error.hint].filter(Boolean).join(" "));
    $("sql-state").textContent = `${Math.round(job.elapsed_ms)} ms`;
    showResult($("sql-result"), job, job.row_count > 0);
  } catch (error) {
    $("sql-state").textContent = error.message;
    $("sql-result").replaceChildren();
  }
  running = "";
  $("sql-cancel").hidden = true;
}

const cancel = () => running && post(`/query/${running}/cancel`);

function wordBefore(area) {
  return area.value.slice(0, area.selectionStart).match(/[\w.]+$/)?.[0] ?? "";
}

function offer() {
  const word = wordBefore($("sql-text")).toLowerCase();
  const found = word.length > 1 ? names.filter((name) => name.toLowerCase().includes(word) && name.toLowerCase() !== word) : [];
  const best = found.sort((a, b) => a.toLowerCase().indexOf(word) - b.toLowerCase().indexOf(word)).slice(0, MOST);
  $("sql-words").replaceChildren(...best.map((name) => {
    const item = attributes(element("li", name, { onmousedown: (event) => { event.preventDefault(); accept(name); } }), { role: "option" });
    return item;
  }));
  $("sql-words").hidden = best.length === 0;
}

function accept(name) {
  const area = $("sql-text");
  const end = area.selectionStart;
  area.setRangeText(name, end - wordBefore(area).length, end, "end");
  $("sql-words").hidden = true;
  area.focus();
}

$("sql-text").oninput = offer;
$("sql-text").onblur = () => { $("sql-words").hidden = true; };
$("sql-text").onkeydown = (event) => {
  const first = !$("sql-words").hidden && $("sql-words").firstChild;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); }
  else if (event.key === "Tab" && first) { event.preventDefault(); accept(first.textContent); }
  else if (event.key === "Escape") { if (first) $("sql-words").hidden = true; else cancel(); }
};
$("sql-run").onclick = run;
$("sql-cancel").onclick = cancel;
