// A result's chart: the server chooses and themes it, Vega draws it; other kinds that fit are a choice away.
import { download, get } from "./api.js";
import { attributes, button, element } from "./dom.js";

let vega = null;
const dark = matchMedia("(prefers-color-scheme: dark)");

// One script out of the server's own wheel, loaded with the first chart.
function loaded() {
  vega ??= new Promise((done, failed) => {
    document.head.append(element("script", "", { src: "/web/vega.js", onload: done, onerror: () => failed(new Error("The chart's script did not load.")) }));
  });
  return vega;
}

export async function showChart(host, jobId, kind = "") {
  const theme = dark.matches ? "dark" : "light";
  const spec = await get(`/query/${jobId}/chart?theme=${theme}${kind ? `&kind=${kind}` : ""}`);
  await loaded();
  const meta = spec.usermeta;
  const picture = element("div", "", { className: "picture" });
  const drawn = kind ? host.dataset.kinds.split(" ") : meta.kinds;
  host.dataset.kinds = drawn.join(" ");
  host.replaceChildren(tools(host, jobId, drawn, meta.kind, theme), picture);
  const narrow = typeof spec.width === "number" && spec.width > host.clientWidth - 40;
  const fitted = narrow || meta.kind === "line" ? { ...spec, width: host.clientWidth - 30, autosize: { type: "fit-x", contains: "padding" } } : spec;
  // Expressions are interpreted and no style is injected, so that the page's policy holds.
  const shown = { ...fitted, background: "transparent", description: labelOf(spec) };
  await globalThis.vegaEmbed(picture, shown, {
    ast: true, actions: false, defaultStyle: false, renderer: "canvas", tooltip: { disableDefaultStyle: true },
  });
}

function labelOf(spec) {
  const title = spec.title?.text || "One number";
  return [`${spec.usermeta.kind} chart: ${title}`, ...(spec.title?.subtitle ?? [])].join(". ");
}

function tools(host, jobId, kinds, kind, theme) {
  const choice = attributes(element("select", "", { onchange: () => showChart(host, jobId, choice.value) }), { "aria-label": "Kind of chart" });
  choice.append(...[...kinds].sort().map((each) => element("option", each, { value: each, selected: each === kind })));
  const images = ["png", "svg"].map((form) => button(form.toUpperCase(), () =>
    download(`/query/${jobId}/chart?format=${form}&kind=${kind}&theme=${theme}`, `chart.${form}`)));
  const bar = element("div", "", { className: "row tools" });
  bar.append(choice, ...images);
  return bar;
}
