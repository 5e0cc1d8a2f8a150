// What dbt makes of what, drawn from left to right, and as a list; choosing a node shows it. A node's address is dbt's id of it.
import { get } from "./api.js";
import { $, attributes, element, fill, labelled, row } from "./dom.js";
import { layout } from "./layout.js";
import { showModel } from "./model.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 190, HIGH = 34, ACROSS = 250, DOWN = 46, EDGE = 12, LETTERS = 22;
const MARKS = { built: "✓", loaded: "●", failed: "✗", "not built": "○" };
let graph = new Map();

// `identity`: the node to show, or nothing.
export async function open(identity) {
  const { nodes } = await get("/dbt/graph");
  graph = new Map(nodes.map((each) => [each.node, each]));
  if (!nodes.length) return fill($("page-models"), [element("p", "dbt has not read a project yet. Set one up with pluto-duck init, then run a dbt command under Jobs.")]);
  if (!$("lineage")) fill($("page-models"), parts());
  await choose(identity);
}

function parts() {
  const find = element("input", "", { type: "search", autocomplete: "off", id: "find-model", oninput: () => choose(location.hash.split("/")[1]) });
  const list = element("details");
  list.append(element("summary", "As a list"), element("ul", "", { id: "model-list" }));
  return [row(labelled("Find", find)), element("p", "", { id: "models-told", role: "status", className: "pale" }),
    element("div", "", { id: "lineage" }), list, element("div", "", { id: "model" })];
}

// The node chosen goes with all that it is made from and that is made from it; the others step back, or go where text is sought.
async function choose(identity) {
  const chosen = graph.get(decodeURIComponent(identity ?? ""));
  const sought = $("find-model").value.trim().toLowerCase();
  const found = [...graph.values()].filter((each) => !sought || each.name.toLowerCase().includes(sought));
  const kin = chosen && new Set([chosen.node, ...reached(chosen.node, inputsOf), ...reached(chosen.node, outputsOf)]);
  const shown = sought ? withKin(found) : [...graph.values()];
  $("models-told").textContent = `${found.length} of ${graph.size} nodes. Arrow keys go along the lines, Enter opens.`;
  fill($("lineage"), [picture(shown, chosen, kin)]);
  fill($("model-list"), found.map(lineOf));
  if (chosen) await showModel($("model"), chosen, graph);
  else fill($("model"), []);
}

const inputsOf = (id) => graph.get(id).inputs.filter((each) => graph.has(each));
const outputsOf = (id) => [...graph.values()].filter((each) => each.inputs.includes(id)).map((each) => each.node);

function reached(from, next) {
  const found = new Set();
  const left = [from];
  while (left.length) for (const id of next(left.pop())) if (!found.has(id)) { found.add(id); left.push(id); }
  return found;
}

function withKin(found) {
  const ids = new Set(found.flatMap(({ node }) => [node, ...inputsOf(node), ...outputsOf(node)]));
  return [...graph.values()].filter((each) => ids.has(each.node));
}

export function toldOf(node) {
  const { passed, failed, not_run } = node.tests;
  const tests = passed + failed + not_run;
  const state = [node.kind, node.state, ...(tests ? [`${passed} of ${tests} tests passed`] : []), ...(failed ? [`${failed} failed`] : [])];
  return `${node.name}: ${state.join(", ")}`;
}

function lineOf(node) {
  const made = element("li");
  made.append(element("a", toldOf(node), { href: `#models/${node.node}` }));
  const inputs = inputsOf(node.node).map((each) => graph.get(each).name);
  if (inputs.length) made.append(` – made from ${inputs.join(", ")}`);
  return made;
}

function drawn(name, given, ...children) {
  const made = attributes(document.createElementNS(SVG, name), given);
  made.append(...children);
  return made;
}

function picture(nodes, chosen, kin) {
  const { places, edges, layers, rows } = layout(nodes);
  const [width, height] = [(layers - 1) * ACROSS + WIDE + 2 * EDGE, rows * DOWN + 2 * EDGE];
  const isKin = ({ from, to }) => kin?.has(from) && kin.has(to);
  const lines = edges.map((edge) => drawn("path", { d: pathOf(edge, places), class: isKin(edge) ? "edge kin" : "edge" }));
  const stop = chosen && places.has(chosen.node) ? chosen.node : nodes[0]?.node;
  const boxes = nodes.map((node) => box(node, at(places.get(node.node)), {
    tabindex: node.node === stop ? 0 : -1, class: `node ${node.kind}${kin && !kin.has(node.node) ? " aside" : ""}`,
    ...(node === chosen ? { "aria-current": "true" } : {}),
  }));
  const image = drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Lineage, from left to right" }, ...lines, ...boxes);
  image.addEventListener("keydown", (event) => step(event, places));
  const scroll = element("div", "", { className: "lineage" });
  scroll.append(image);
  if (chosen) requestAnimationFrame(() => image.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }));
  return scroll;
}

const at = ({ layer, row }) => ({ x: layer * ACROSS + EDGE, y: row * DOWN + EDGE + (DOWN - HIGH) / 2 });

function pathOf({ from, to, via }, places) {
  const start = at(places.get(from));
  let [x, y] = [start.x + WIDE, start.y + HIGH / 2];
  const parts = [`M${x} ${y}`];
  for (const place of [...via, places.get(to)]) {
    const next = at(place);
    const [toX, toY] = [next.x, next.y + HIGH / 2];
    parts.push(`C${(x + toX) / 2} ${y} ${(x + toX) / 2} ${toY} ${toX} ${toY}`);
    x = place === places.get(to) ? toX : toX + WIDE;
    y = toY;
    if (x !== toX) parts.push(`H${x}`);
  }
  return parts.join("");
}

function box(node, { x, y }, given) {
  const name = node.name.length > LETTERS ? `${node.name.slice(0, LETTERS - 1)}…` : node.name;
  const mark = node.tests.failed ? "✗" : MARKS[node.state];
  const link = drawn("a", { href: `#models/${node.node}`, "aria-label": toldOf(node), "data-node": node.node, transform: `translate(${x} ${y})`, ...given },
    drawn("title", {}, toldOf(node)), drawn("rect", { width: WIDE, height: HIGH, rx: node.kind === "source" ? 17 : 5 }),
    drawn("text", { x: 12, y: 22, class: mark === "✗" ? "bad" : "mark" }, mark), drawn("text", { x: 30, y: 22 }, name));
  return link;
}

// Left and right along the lines, up and down within a layer.
function step(event, places) {
  const here = event.target.dataset?.node;
  const beside = { ArrowLeft: inputsOf, ArrowRight: outputsOf, ArrowUp: (id) => near(id, places, -1), ArrowDown: (id) => near(id, places, 1) }[event.key];
  if (!here || !beside) return;
  event.preventDefault();
  const next = beside(here).find((id) => places.has(id));
  const found = next && event.currentTarget.querySelector(`[data-node="${CSS.escape(next)}"]`);
  if (!found) return;
  event.target.setAttribute("tabindex", -1);
  found.setAttribute("tabindex", 0);
  found.focus();
}

function near(id, places, way) {
  const { layer, row } = places.get(id);
  const there = [...places].filter(([each, place]) => graph.has(each) && place.layer === layer && (place.row - row) * way > 0);
  return there.sort(([, a], [, b]) => (a.row - b.row) * way).map(([each]) => each);
}
