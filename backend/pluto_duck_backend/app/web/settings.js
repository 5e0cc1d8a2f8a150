// What is configured and from where, the limits that may be changed here, what was learned, and what doctor finds.
import { get, patch, post } from "./api.js";
import { $, button, element, fill, form, labelled, row, rowsOf } from "./dom.js";
import { guarded } from "./login.js";
import { learned } from "./verdict.js";

const WHO = /^(agent\.(provider|model|policy|chain|privacy|words)|providers\.|dbt\.)/;

export async function open() {
  const [{ settings, file }, { confirmed }] = await Promise.all([get("/settings"), get("/memory")]);
  const told = (found) => rowsOf(["setting", "value", "from", "what it does"], found.map((each) => [each.name, each.value, each.source, each.description]));
  const all = element("details");
  all.append(element("summary", "All settings"), told(settings));
  fill($("page-settings"), [
    element("h2", "Who answers"), told(settings.filter((each) => WHO.test(each.name))),
    element("p", `Who answers and who sees what is changed in ${file}, or with pluto-duck config add. Keys are never shown.`, { className: "pale" }),
    element("h2", "Limits"), limits(settings.filter((each) => each.changeable)), all,
    element("h2", "What was learned"), ...lessons(confirmed),
    element("h2", "Checks"), ...checks(),
  ]);
}

function limits(found) {
  const made = element("div", "", { className: "limits" });
  made.append(...found.map(limit));
  return made;
}

function limit(setting) {
  const value = element("input", "", { type: "number", min: 0, step: "any", required: true, value: setting.value });
  const told = element("span", "", { role: "status", className: "pale" });
  const save = () => guarded(async () => {
    const { value: kept } = await patch("/settings", { name: setting.name, value: Number(value.value) });
    Object.assign(value, { value: kept, defaultValue: kept });
    told.textContent = "Saved; it holds from now on.";
  }, (text) => { told.textContent = text; });
  const made = form([row(labelled(`${setting.description} (${setting.name})`, value), element("button", "Save", { ariaLabel: `Save ${setting.name}` }), told)], save);
  made.className = "limit";
  return made;
}

function lessons(confirmed) {
  if (!confirmed.length) return [element("p", "Nothing yet. Say of an answer that it is right, and it is kept here.", { className: "pale" })];
  return confirmed.map((kept) => {
    const made = element("details");
    const host = element("div");
    host.append(learned(host, kept));
    made.append(element("summary", `${kept.question}${kept.stale ? " (not used)" : ""}`), host);
    return made;
  });
}

function checks() {
  const host = element("div", "", { role: "status" });
  const run = () => guarded(async () => {
    host.textContent = "Looking …";
    const found = (await post("/settings/checks")).checks;
    fill(host, [rowsOf(["check", "state", "found", "next step"], found.map((each) => [each.check, each.ok ? (each.hint ? "!" : "✓") : "✗", each.found, each.hint]))]);
  }, (text) => { host.textContent = text; });
  return [row(button("Run the checks", run)), host];
}
