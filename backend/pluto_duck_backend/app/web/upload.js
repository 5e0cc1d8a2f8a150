// Files into tables: dropped on the page, or chosen; each step of the load is told.
import { eventsOf, get, put } from "./api.js";
import { open } from "./data.js";
import { $, named } from "./dom.js";

const NEVER = new AbortController().signal;
const tell = (text, className = "") => Object.assign($("upload-state"), { textContent: named(text), className });

async function load(file) {
  const table = file.name.replace(/\.[^.]*$/, "").toLowerCase();
  const { tables } = await get("/schema");
  const isThere = tables.some((each) => each.table.toLowerCase() === table);
  if (isThere && !confirm(`There is a table ${table}. Load ${file.name} in its place?`)) return;
  tell(`${file.name}: sending ${(file.size / 1e6).toFixed(1)} MB …`);
  const { job_id } = await put(`/ingest/upload?name=${encodeURIComponent(file.name)}`, file);
  for await (const event of eventsOf(`/ingest/${job_id}/events`, NEVER)) {
    const { message, hint } = event.content;
    if (message) tell([message, hint].filter(Boolean).join(" "), event.subtype === "error" ? "error" : "");
  }
}

export async function loadAll(files) {
  location.hash = "#data";
  for (const file of files) await load(file).catch((error) => tell(error.message, "error"));
  await open();
}
