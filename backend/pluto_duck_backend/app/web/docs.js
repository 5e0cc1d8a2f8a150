// The OpenAPI document as a page to read, out of /openapi.json, with nothing from elsewhere.
import { element } from "./dom.js";

const api = await (await fetch("/openapi.json")).json();
const named = (schema) => schema?.$ref ? schema.$ref.split("/").pop() : schema?.anyOf?.map(named).join(" or ") ?? schema?.type ?? "any";

function table(heads, rows) {
  const made = element("table");
  for (const [cells, kind] of [[heads, "th"], ...rows.map((row) => [row, "td"])]) {
    const row = element("tr");
    row.append(...cells.map((cell) => element(kind, cell ?? "")));
    made.append(row);
  }
  const scroll = element("div", "", { className: "scroll" });
  scroll.append(made);
  return scroll;
}

function operation(path, method, told) {
  const made = element("details");
  made.append(element("summary", `${method.toUpperCase()} ${path}`), element("p", told.description ?? told.summary));
  const given = (told.parameters ?? []).map((each) => [each.name, each.in, named(each.schema), each.description]);
  const body = told.requestBody?.content?.["application/json"]?.schema;
  const name = body && (named(body).split(" or ").find((each) => api.components.schemas[each]));
  const fields = Object.entries(api.components.schemas[name]?.properties ?? {});
  given.push(...fields.map(([field, schema]) => [field, "body", named(schema), schema.description]));
  if (given.length) made.append(table(["name", "in", "type", ""], given));
  const answers = Object.entries(told.responses).map(([status, each]) =>
    [status, each.description, Object.entries(each.content ?? {}).map(([type, { schema }]) => `${type} ${named(schema)}`).join(", ")]);
  made.append(table(["status", "", "answer"], answers));
  return made;
}

const all = Object.entries(api.paths).flatMap(([path, calls]) => Object.entries(calls).map(([method, told]) => operation(path, method, told)));
document.querySelector("main").replaceChildren(element("p", `${api.info.summary} Version ${api.info.version}.`), ...all);
