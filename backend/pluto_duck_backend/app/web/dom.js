// Small words for the page's elements, so that the modules read as what they build.
export const $ = (id) => document.getElementById(id);

export function element(name, text = "", properties = {}) {
  const made = document.createElement(name);
  if (text !== "") made.textContent = text;
  return Object.assign(made, properties);
}

export function button(text, onclick, properties = {}) {
  return element("button", text, { type: "button", onclick, ...properties });
}

export function fill(parent, children) { parent.replaceChildren(...children); }

// A file that was sent is called by its name, not by where the server keeps it.
export const named = (text) => text.replaceAll(/\S*[/\\]upload-[\w-]+[/\\]/g, "");

// A block of code; it scrolls sideways, by keyboard too.
export function code(text) { return element("pre", text, { tabIndex: 0 }); }

export function row(...children) {
  const made = element("div", "", { className: "row" });
  made.append(...children);
  return made;
}

export function labelled(text, control) {
  const made = element("label", text);
  made.append(control);
  return made;
}

export function ticked(text, control) {
  const made = element("label", "", { className: "check" });
  made.append(control, text);
  return made;
}

// Enter and its button do `act`; without the page being left.
export function form(children, act) {
  const made = element("form", "", { onsubmit: (event) => { event.preventDefault(); act(); } });
  made.append(...children);
  return made;
}

export function choice(options, properties = {}) {
  const made = element("select", "", properties);
  made.append(...options.map(([value, name]) => element("option", name ?? value, { value })));
  return made;
}

export function rowsOf(heads, rows) {
  const grid = element("table");
  for (const [cells, kind] of [[heads, "th"], ...rows.map((cells) => [cells, "td"])]) {
    const line = element("tr");
    line.append(...cells.map((cell) => element(kind, cell ?? "")));
    grid.append(line);
  }
  const scroll = element("div", "", { className: "scroll", tabIndex: 0 });
  scroll.append(grid);
  return scroll;
}

export function attributes(made, given) {
  for (const [name, value] of Object.entries(given)) made.setAttribute(name, value);
  return made;
}

// Made once: making one takes longer than formatting a thousand numbers. By digits behind the point; as the server's `show`.
const NUMBERS = [0, 1, 2, 3, 4].map((minimumFractionDigits) =>
  new Intl.NumberFormat("en-US", { minimumFractionDigits, maximumFractionDigits: minimumFractionDigits, useGrouping: true }));
const FRACTION = new Intl.NumberFormat("en-US", { maximumFractionDigits: 4 });
const SMALL = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });

export function shown(value) {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value)) return Math.abs(value) < 10_000 ? String(value) : NUMBERS[0].format(value);
  if (typeof value === "number") return (Math.abs(value) < 1 ? SMALL : FRACTION).format(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const NAMES = /(^|_)(id|key|code|year|zip|postcode)$|[a-z]Id$/i;
// Without the noise of sums: 4.829999999999998 has two.
const digitsOf = (value) => (value.toFixed(4).replace(/0+$/, "").split(".")[1] ?? "").length;

// How a column's cells are shown: numbers with as many digits behind the point as the others have, ids and years as they are.
export function formatOf({ name, type }, values) {
  if (/^TIMESTAMP/.test(type)) return (value) => shown(value).replace("T", " ");
  const numbers = values.filter((value) => typeof value === "number");
  if (!numbers.length) return shown;
  if (NAMES.test(name) && numbers.every(Number.isInteger)) return (value) => typeof value === "number" ? String(value) : shown(value);
  const scale = Number(type.match(/^DECIMAL\(\d+,(\d+)\)/)?.[1] ?? 0);
  const digits = Math.min(4, Math.max(scale, ...numbers.map(digitsOf)));
  const rounded = numbers.every((value) => !value || Math.abs(value) >= 0.00005);
  return (value) => typeof value === "number" && digits && rounded ? NUMBERS[digits].format(value) : shown(value);
}

// Rows as a column's cells are shown.
export function formatted(columns, rows) {
  const formats = columns.map((column, n) => formatOf(column, rows.map((cells) => cells[n])));
  return rows.map((cells) => cells.map((cell, n) => formats[n](cell)));
}
