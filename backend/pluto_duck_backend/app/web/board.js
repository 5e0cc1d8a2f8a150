// One board: its tiles as cards, refreshed, renamed, put in another order by keyboard or mouse, taken off.
import { download, get, patch, post, remove } from "./api.js";
import { theme } from "./chart.js";
import { $, button, element, fill, form, labelled, row } from "./dom.js";
import { guarded } from "./login.js";
import { cardOf } from "./tile.js";

export async function open(host, boardId) {
  const path = `/boards/${encodeURIComponent(boardId)}`;
  const status = element("span", "", { role: "status", id: "board-state" });
  const body = element("div");
  fill(host, [body, status]);
  await show({ path, body, status });
}

// `view`: {path, body, status}; `focus` is the id of what had it before.
async function show(view, focus = "") {
  const board = await get(`${view.path}?theme=${theme()}`);
  const cards = element("ol", "", { className: "cards" });
  cards.setAttribute("aria-label", "Tiles");
  cards.append(...board.tiles.map((tile, n) => cardOf(tile, n, board.tiles.length, actionsOf(view, board))));
  fill(view.body, [headOf(view, board), board.tiles.length ? cards : emptyOf()]);
  for (const card of cards.children) card.draw();
  $(focus)?.focus();
}

function emptyOf() {
  const empty = element("p", "Nothing is pinned to this board yet. ");
  empty.append(element("a", "Ask something", { href: "#ask" }), " and press “Pin to a board” below the answer.");
  return empty;
}

function headOf(view, board) {
  const told = (text) => { view.status.textContent = text; };
  const renaming = element("div");
  const bar = element("div", "", { className: "row tools" });
  bar.append(
    button("Refresh", () => refresh(view, board), { id: "board-refresh", disabled: !board.tiles.length }),
    button("Rename", () => fill(renaming, [renameOf(view, board)])),
    button("Save as HTML", () => guarded(() => download(`${view.path}/export`, `${board.board_id}.html`))),
    button("Delete", () => confirm(`Delete the board “${board.title}”?`) && guarded(async () => { await remove(view.path); location.hash = "#boards"; })),
  );
  told("");
  const made = element("div");
  made.append(element("h2", board.title), bar, renaming);
  return made;
}

function renameOf(view, board) {
  const title = element("input", "", { value: board.title, required: true, maxLength: 200 });
  const save = () => guarded(async () => { await patch(view.path, { title: title.value }); await show(view, "board-refresh"); });
  setTimeout(() => title.focus());
  return form([row(labelled("Title", title)), row(element("button", "Rename it"))], save);
}

// What is not refreshed yet is busy, so that no old number is taken for a fresh one.
async function refresh(view, board, tileId = "") {
  for (const card of view.body.querySelectorAll(".card")) if (!tileId || card.dataset.id === tileId) card.setAttribute("aria-busy", "true");
  view.status.textContent = "Refreshing …";
  await guarded(async () => {
    const { tiles } = await post(`${view.path}/refresh${tileId ? `?tile=${tileId}` : ""}`);
    const failed = tiles.filter((tile) => tile.failure && (!tileId || tile.tile_id === tileId)).length;
    await show(view, tileId ? `refresh-${tileId}` : "board-refresh");
    view.status.textContent = failed ? `Refreshed; ${failed} of ${tileId ? 1 : tiles.length} failed.` : "Refreshed.";
  });
}

function actionsOf(view, board) {
  const ids = board.tiles.map((tile) => tile.tile_id);
  const at = (tileId) => `${view.path}/tiles/${tileId}`;
  const change = (tile, given, focus) => guarded(async () => { await patch(at(tile.tile_id), given); await show(view, focus); });
  return {
    refresh: (tile) => refresh(view, board, tile.tile_id),
    change,
    async remove(tile) {
      await guarded(async () => { await remove(at(tile.tile_id)); await show(view, "board-refresh"); });
      view.status.textContent = `“${tile.title}” is off the board.`;
    },
    // `tileId` comes to stand where `place` is; `focus` names the button that was pressed.
    async move(tileId, place, focus) {
      const order = ids.filter((each) => each !== tileId);
      order.splice(place, 0, tileId);
      await guarded(async () => { await patch(view.path, { order }); await show(view, focus); });
      const { title } = board.tiles.find((tile) => tile.tile_id === tileId);
      view.status.textContent = `“${title}” is ${place + 1} of ${ids.length}.`;
    },
  };
}
