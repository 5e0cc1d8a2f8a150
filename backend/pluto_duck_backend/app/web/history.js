// Earlier questions, newest first; opening one replays its events.
import { get } from "./api.js";
import { $, element } from "./dom.js";

const PAGE = 50;

export const open = () => show();

async function show(before = "") {
  const page = await get(`/agent?limit=${PAGE}${before ? `&before=${before}` : ""}`);
  const items = page.runs.map(itemOf);
  if (before) $("runs").append(...items);
  else $("runs").replaceChildren(...items);
  $("more-runs").hidden = !page.next;
  $("more-runs").onclick = () => show(page.next);
}

function itemOf(run) {
  const item = element("li");
  const when = element("time", new Date(run.created_at).toLocaleString(), { dateTime: run.created_at });
  item.append(element("a", run.question, { href: `#${run.run_id}` }), element("span", run.status.replace("_", " "), { className: `status ${run.status}` }), when);
  return item;
}
