// The boards there are; the address of one is its id, and board.js shows it.
import { get, post } from "./api.js";
import { $, element, fill, form, labelled, row } from "./dom.js";
import { guarded } from "./login.js";

export async function open(boardId) {
  if (boardId) return (await import("./board.js")).open($("page-boards"), boardId);
  const { boards } = await get("/boards");
  const list = element("ul", "", { className: "list" });
  list.append(...boards.map(itemOf));
  const empty = element("p", "No board yet. ");
  empty.append(element("a", "Ask something", { href: "#ask" }), " and pin the answer, or make a board here.");
  fill($("page-boards"), [element("h2", "Boards"), boards.length ? list : empty, making()]);
}

function itemOf(board) {
  const item = element("li");
  if (board.error) item.append(element("span", `${board.error.message} ${board.error.hint}`, { className: "error" }));
  else item.append(element("a", board.title, { href: `#boards/${board.board_id}` }), element("span", `${board.tile_count} ${board.tile_count === 1 ? "tile" : "tiles"}`, { className: "pale" }));
  return item;
}

function making() {
  const title = element("input", "", { required: true, maxLength: 200, autocomplete: "off", placeholder: "Sales" });
  const told = element("div", "", { role: "status" });
  const make = () => guarded(
    async () => { location.hash = `#boards/${(await post("/boards", { title: title.value })).board_id}`; },
    (text) => fill(told, [element("p", text, { className: "error" })]));
  return form([labelled("A new board", title), row(element("button", "Make it")), told], make);
}
