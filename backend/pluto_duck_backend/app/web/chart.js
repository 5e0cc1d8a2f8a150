// A result's chart: the server chooses and themes it, Vega draws it; other kinds that fit are a choice away.
import { download, get } from "./api.js";
import { attributes, button, element } from "./dom.js";

let vega = null;
const dark = matchMedia("(prefers-color-scheme: dark)");

const FILLING = new Set(["line", "area", "bar"]); // they gain by being as wide as their host

export const theme = () => dark.matches ? "dark" : "light";

// One script out of the server's own wheel, loaded with the first chart.
function loaded() {
  vega ??= new Promise((done, failed) => {
    document.head.append(element("script", "", { src: "/web/vega.js", onload: done, onerror: () => failed(new Error("The chart's script did not load.")) }));
  });
  return vega;
}

export async function showChart(host, jobId, kind = "") {
  const spec = await get(`/query/${jobId}/chart?theme=${theme()}${kind ? `&kind=${kind}` : ""}`);
  const meta = spec.usermeta;
  const picture = element("div", "", { className: "picture" });
  const drawn = kind ? host.dataset.kinds.split(" ") : meta.kinds;
  host.dataset.kinds = drawn.join(" ");
  host.replaceChildren(tools(host, jobId, drawn, meta.kind), picture);
  if (!vega) picture.textContent = "Drawing …";
  await draw(picture, spec, spec.title?.text || "One number");
}

// Draws a themed specification; one that is wider than its host is made to fit.
export async function draw(picture, spec, title) {
  await loaded();
  const room = picture.clientWidth - 10;
  const isWide = typeof spec.width === "number" && (spec.width > room - 10 || FILLING.has(spec.usermeta.kind));
  const fitted = isWide ? { ...spec, width: room, autosize: { type: "fit-x", contains: "padding" } } : spec;
  // Expressions are interpreted and no style is injected, so that the page's policy holds.
  const titled = spec.title ? { title: { ...spec.title, limit: room } } : {};
  const shown = { ...fitted, ...titled, background: "transparent", description: labelOf(spec, title) };
  await globalThis.vegaEmbed(picture, shown, {
    ast: true, actions: false, defaultStyle: false, renderer: "canvas", tooltip: { disableDefaultStyle: true },
  });
}

function labelOf(spec, title) {
  return [`${spec.usermeta.kind} chart: ${title}`, ...(spec.title?.subtitle ?? [])].join(". ");
}

function tools(host, jobId, kinds, kind) {
  const choice = attributes(element("select", "", { onchange: () => showChart(host, jobId, choice.value) }), { "aria-label": "Kind of chart" });
  choice.append(...[...kinds].sort().map((each) => element("option", each, { value: each, selected: each === kind })));
  const images = ["png", "svg"].map((form) => button(form.toUpperCase(), () =>
    download(`/query/${jobId}/chart?format=${form}&kind=${kind}&theme=${theme()}`, `chart.${form}`)));
  const bar = element("div", "", { className: "row tools" });
  bar.append(choice, ...images);
  return bar;
}
