// Below an answer: say that it is right, correct it, save it into the dbt project. What was learned is told, and can be forgotten.
import { get, post, remove } from "./api.js";
import { button, choice, code, element, fill, form, labelled, row } from "./dom.js";
import { guarded } from "./login.js";

const KINDS = { model: "Model", test: "Test", metric: "Metric", analysis: "Analysis" };

// `final` of run `runId`; `question` and `ask` are for what is said instead.
export async function showVerdict(host, runId, final, { question, ask }) {
  const panel = element("div", "", { className: "panel" });
  const bar = element("div", "", { className: "row tools" });
  bar.setAttribute("aria-label", "Is it right?");
  const shows = (name, make) => [name, () => open(panel, make())];
  const choices = [
    ...(final.sql ? [["This is right", () => confirm(panel, runId)]] : []),
    shows(final.sql ? "Correct it" : "Teach the right SQL", () => correction(panel, runId, final.sql ?? "", ask)),
    ...(final.sql ? [shows("Save it as …", () => saving(runId, question))] : []),
  ];
  bar.append(...choices.map(([name, act]) => button(name, act)));
  fill(host, [bar, panel]);
  await guarded(async () => {
    const { confirmed } = await get("/memory");
    const kept = confirmed.find((each) => each.run_id === runId);
    if (kept) fill(panel, [learned(panel, kept)]);
  });
}

function open(panel, made) {
  fill(panel, [made]);
  made.querySelector("input, textarea, select")?.focus();
}

// `sql`: the right one, where the answer's is not. Other SQL that is kept for the question is only replaced when asked to.
async function confirm(panel, runId, sql, replace = false) {
  const failed = (text, code) => {
    const choices = element("div", "", { className: "row tools" });
    if (code === "confirmed_otherwise") choices.append(button("Put this in its place", () => confirm(panel, runId, sql, true)));
    panel.querySelector(".told")?.remove();
    const told = element("div", "", { className: "told" });
    told.append(element("p", text, { className: "error", role: "alert" }), choices);
    panel.append(told);
  };
  await guarded(async () => fill(panel, [learned(panel, await post(`/agent/${runId}/confirm`, { sql, replace }))]), failed);
}

// What is kept of a question, and a way to forget it.
export function learned(host, kept) {
  const made = element("div", "", { role: "status" });
  const name = kept.file.split("/").pop();
  const forget = () => guarded(async () => { await remove(`/memory/${encodeURIComponent(name)}`); fill(host, [element("p", "Forgotten.", { role: "status" })]); });
  made.append(
    element("p", `Learned: “${kept.question}” is answered with this from now on.`),
    code(kept.sql),
    element("p", kept.stale ? `Not used: ${kept.stale}` : `Kept in ${kept.file}`, { className: "pale" }),
    button("Forget it", forget),
  );
  return made;
}

function correction(panel, runId, sql, ask) {
  const text = element("textarea", "", { value: sql, rows: 6, spellcheck: false, required: true });
  const shown = element("div");
  const tried = () => guarded(async () => {
    const job = await post("/query?wait=true", { sql: text.value, max_rows: 200 });
    (await import("./result.js")).showResult(shown, job, false);
  }, (problem) => fill(shown, [element("p", problem, { className: "error", role: "alert" })]));
  const right = form([labelled("The right SQL", text), row(element("button", "Keep it as right"), button("Try it", tried)), shown],
    () => confirm(panel, runId, text.value));
  const meant = element("input", "", { required: true, placeholder: "net revenue, without returns" });
  const words = form([labelled("Or say what was meant", meant), row(element("button", "Ask again"))], () => ask(meant.value));
  const made = element("div");
  made.append(right, words);
  return made;
}

function saving(runId, question) {
  const kind = choice(Object.entries(KINDS));
  const name = element("input", "", { value: nameFor(question), required: true, autocomplete: "off" });
  const told = element("div", "", { role: "status" });
  const failed = (text) => { fill(told, [element("p", text, { className: "error" })]); name.setAttribute("aria-invalid", "true"); name.focus(); };
  const save = () => guarded(async () => {
    name.removeAttribute("aria-invalid");
    fill(told, savedAs(await post(`/agent/${runId}/save`, { kind: kind.value, name: name.value })));
  }, failed);
  return form([row(labelled("What it becomes", kind), labelled("Its name", name)), row(element("button", "Save")), told], save);
}

function savedAs(asset) {
  const files = element("ul");
  files.append(...asset.files.map((file) => element("li", `${asset.project}/${file}`)));
  const select = asset.kind === "metric" ? `${asset.name}_rows` : asset.name;
  const command = asset.kind === "analysis" ? "compile" : "build";
  const build = () => guarded(async () => { location.hash = `#jobs/${(await post(`/dbt/${command}`, { select })).job_id}`; });
  return [element("p", `Saved as ${asset.kind} ${asset.name}:`), files, button(`dbt ${command} --select ${select}`, build)];
}

const nameFor = (question) => question.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^[_0-9]+|_+$/g, "").slice(0, 60) || "answer";
