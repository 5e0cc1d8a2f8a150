// The page: its address says which part is shown, or which run. What a part needs is loaded when it is turned to.
import { guarded } from "./login.js";
import { loaded, turnTo } from "./parts.js";
import { follow } from "./run.js";

// Each part's module has `open(rest)`: it shows what there is; `rest` is what follows the part's name in the address.
const PARTS = {
  ask: "run", sql: "editor", data: "data", models: "lineage", boards: "boards", jobs: "jobs", history: "history", settings: "settings",
};

// `#sql`, `#models/model.shop.orders`, `#run-…`
async function open() {
  const { hash } = location;
  const [name, ...rest] = decodeURIComponent(hash.slice(1)).split("/");
  const part = name in PARTS ? name : "ask";
  const module = await loaded(PARTS[part]);
  if (location.hash !== hash) return;
  turnTo(part);
  await guarded(() => name.startsWith("run-") ? follow(name) : module.open(rest.join("/")));
}

// Files may be dropped on any part.
document.ondragover = (event) => event.preventDefault();
document.ondrop = async (event) => {
  event.preventDefault();
  const files = [...event.dataTransfer.files];
  if (files.length) (await loaded("upload")).loadAll(files);
};

addEventListener("hashchange", open);
open();
