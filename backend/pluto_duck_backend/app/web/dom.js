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

export function attributes(made, given) {
  for (const [name, value] of Object.entries(given)) made.setAttribute(name, value);
  return made;
}

export function shown(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return value.toLocaleString("en-US", { maximumFractionDigits: Number.isInteger(value) ? 0 : 4 });
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
