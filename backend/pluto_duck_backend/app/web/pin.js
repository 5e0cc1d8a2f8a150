// Pinning: an answer or a query's result to a board that is chosen, or made at once.
import { get, post } from "./api.js";
import { choice, element, fill, form, labelled, row } from "./dom.js";
import { guarded } from "./login.js";

const OWN = ""; // the choice of a board that is made

// `pinned`: {run_id} or {job_id}.
export async function offer(host, pinned) {
  await guarded(async () => {
    const boards = (await get("/boards")).boards.filter((each) => !each.error);
    const board = choice([...boards.map((each) => [each.board_id, each.title]), [OWN, "A new board"]]);
    const name = element("input", "", { value: "My board", required: true, maxLength: 200, autocomplete: "off" });
    const named = labelled("Title of the new board", name);
    const told = element("div", "", { role: "status" });
    const turn = () => { named.hidden = board.value !== OWN; name.disabled = named.hidden; };
    board.onchange = turn;
    turn();
    fill(host, [form([row(labelled("Board", board), named), row(element("button", "Pin")), told], () => pin(host, told, pinned, board.value, name.value))]);
    board.focus();
  });
}

async function pin(host, told, pinned, boardId, title) {
  await guarded(async () => {
    const id = boardId === OWN ? (await post("/boards", { title })).board_id : boardId;
    const board = await post(`/boards/${encodeURIComponent(id)}/tiles`, pinned);
    const line = element("p", "Pinned to ", { role: "status" });
    line.append(element("a", board.title, { href: `#boards/${id}` }));
    fill(host, [line]);
  }, (text) => fill(told, [element("p", text, { className: "error" })]));
}
