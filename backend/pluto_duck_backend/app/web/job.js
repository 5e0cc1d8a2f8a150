// One job as its events tell it: how far it is, what failed and what to do next, what came of it.
import { eventsOf, post } from "./api.js";
import { button, code, element, fill, named, row, rowsOf } from "./dom.js";
import { guarded } from "./login.js";
import { edit } from "./editor.js";

let following = new AbortController();

// Shows the job `jobId` in `host` until it has ended, then calls `ended`.
export async function follow(host, jobId, ended) {
  following.abort();
  const { signal } = (following = new AbortController());
  const kind = jobId.split("-")[0];
  const shown = new Shown(host, () => guarded(() => post(`/${kind}/${jobId}/cancel`)));
  for await (const event of eventsOf(`/${kind}/${jobId}/events`, signal)) {
    shown.tell(`${event.type}.${event.subtype}`, event.content);
  }
  if (!signal.aborted) await ended();
}

class Shown {
  constructor(host, cancel) {
    this.title = element("h2", "");
    this.state = element("p", "Running …", { role: "status" });
    this.bar = element("progress", "", { ariaLabel: "Progress" });
    this.cancel = button("Cancel", () => { this.state.textContent = "Cancelling …"; return cancel(); });
    this.nodes = new Map();
    this.list = element("div");
    this.end = element("div");
    const panel = element("section", "", { className: "panel", ariaLabel: "This job" });
    panel.append(this.title, row(this.state, this.cancel), this.bar, this.list, this.end);
    fill(host, [panel]);
    panel.scrollIntoView({ block: "nearest" });
  }

  tell(name, content) {
    if (name === "job.start") this.title.textContent = named(content.title || content.kind);
    else if (name === "job.chunk") this.progress(content);
    else if (name === "job.error") this.failed(content.message, content.hint);
    else if (name === "job.end") this.ended(content);
  }

  progress(content) {
    if (content.node) return this.node(content);
    this.state.textContent = content.message || `${content.table}: ${content.rows.toLocaleString("en-US")} rows`;
    if (content.total_bytes) Object.assign(this.bar, { max: content.total_bytes, value: content.bytes ?? 0 });
  }

  node({ node, status, elapsed_s, message }) {
    this.nodes.set(node, { node, status, elapsed_s, message });
    const done = [...this.nodes.values()].filter((each) => each.status !== "running").length;
    this.state.textContent = `${done} of ${this.nodes.size} begun are done`;
    fill(this.list, [tableOf([...this.nodes.values()])]);
  }

  ended({ status, result }) {
    this.over(status === "cancelled" ? "Cancelled." : status === "failed" ? "Failed." : "Done.");
    if (!result) return;
    if (result.tables) fill(this.list, [rowsOf(["table", "rows", "columns", "rejected"], result.tables.map((each) =>
      [each.table, each.rows.toLocaleString("en-US"), each.columns, each.rejected || ""]))]);
    if (result.nodes?.length) fill(this.list, [tableOf(result.nodes)]);
    if (result.output?.length) this.end.append(code(result.output.join("\n")));
    this.end.append(...(result.warnings ?? []).map((each) => element("p", each)));
    if (result.message) this.end.append(element("p", [result.message, result.hint].filter(Boolean).join(" "), { className: "error" }));
    const failing = (result.nodes ?? []).filter((each) => each.failing_rows);
    this.end.append(...failing.map((each) => button(`Rows that fail ${nameOf(each.node)}`, () => edit(each.failing_rows))));
  }

  failed(message, hint) {
    this.over("Failed.");
    this.end.append(element("p", named(message), { className: "error" }), element("p", hint));
  }

  over(text) {
    this.state.textContent = text;
    this.bar.hidden = this.cancel.hidden = true;
  }
}

const GOOD = ["pass", "success"];

// dbt's ids end with a hash for tests of its own kinds.
const nameOf = (node) => node.split(".").slice(2).join(".").replace(/\.[0-9a-f]{10}$/, "") || node;

// What failed first.
function tableOf(nodes) {
  const ordered = [...nodes].sort((a, b) => GOOD.includes(a.status) - GOOD.includes(b.status));
  const made = rowsOf(["state", "time", "model or test", "message"], ordered.map((each) => [each.status, each.elapsed_s ? `${each.elapsed_s.toFixed(2)}\u00a0s` : "", nameOf(each.node), each.message]));
  made.classList.add("tall");
  return made;
}
