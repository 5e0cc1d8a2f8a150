// What a query brought: its chart where there is one, and its rows with filter and export.
import { download } from "./api.js";
import { showChart } from "./chart.js";
import { attributes, button, element } from "./dom.js";
import { Grid } from "./grid.js";

const TYPING_MS = 250;

// `job`: {job_id, columns, rows, row_count}; a chart is looked for where `hasChart` says so.
export function showResult(host, job, hasChart) {
  const chart = element("div", "", { className: "chart" });
  const rows = element("div");
  const count = attributes(element("span"), { role: "status" });
  const tell = (number) => { count.textContent = `${number.toLocaleString("en-US")} ${number === 1 ? "row" : "rows"}`; };
  host.replaceChildren(chart, element("div", "", { className: "row tools" }), rows);
  const grid = new Grid(rows, job, { rows: job.rows, row_count: job.row_count });
  grid.onCount = tell;
  tell(job.row_count);
  host.children[1].append(filterOf(grid), count, ...[["csv", "CSV"], ["parquet", "Parquet"]].map(([form, name]) =>
    button(name, () => download(`/query/${job.job_id}/result?format=${form}`, `result.${form}`))));
  if (hasChart) showChart(chart, job.job_id).catch((error) => chart.replaceWith(element("p", error.message, { className: "pale" })));
}

function filterOf(grid) {
  let timer = 0;
  const oninput = () => {
    clearTimeout(timer);
    timer = setTimeout(() => grid.filterBy(input.value), TYPING_MS);
  };
  const input = attributes(element("input", "", { type: "search", placeholder: "Filter rows", oninput }), { "aria-label": "Filter rows" });
  return input;
}
