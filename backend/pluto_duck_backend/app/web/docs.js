// The OpenAPI document as a page to read, out of /openapi.json, with nothing from elsewhere.
import { element, rowsOf } from "./dom.js";

const api = await (await fetch("/openapi.json")).json();
const named = (schema) => schema?.$ref ? schema.$ref.split("/").pop() : schema?.anyOf?.map(named).join(" or ") ?? schema?.type ?? "any";

function operation(path, method, told) {
  const made = element("details");
  made.append(element("summary", `${method.toUpperCase()} ${path}`), element("p", told.description ?? told.summary));
  const given = (told.parameters ?? []).map((each) => [each.name, each.in, named(each.schema), each.description]);
  const body = told.requestBody?.content?.["application/json"]?.schema;
  const name = body && (named(body).split(" or ").find((each) => api.components.schemas[each]));
  const fields = Object.entries(api.components.schemas[name]?.properties ?? {});
  given.push(...fields.map(([field, schema]) => [field, "body", named(schema), schema.description]));
  if (given.length) made.append(rowsOf(["name", "in", "type", ""], given));
  const answers = Object.entries(told.responses).map(([status, each]) =>
    [status, each.description, Object.entries(each.content ?? {}).map(([type, { schema }]) => `${type} ${named(schema)}`).join(", ")]);
  made.append(rowsOf(["status", "", "answer"], answers));
  return made;
}

const all = Object.entries(api.paths).flatMap(([path, calls]) => Object.entries(calls).map(([method, told]) => operation(path, method, told)));
document.querySelector("main").replaceChildren(element("p", `${api.info.summary} Version ${api.info.version}.`), ...all);
