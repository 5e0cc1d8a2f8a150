// A tile of a board as a card: its number, chart or rows, when that was, what it reads, and what is wrong with it.
import { draw } from "./chart.js";
import { attributes, button, choice, element, form, formatted, labelled, row, rowsOf, shown } from "./dom.js";

const SHOWN_ROWS = 12;
const moment = (at) => new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

// The card of the tile in place `n` of `count`; `draw` of it draws its chart once it is in the page.
export function cardOf(tile, n, count, actions) {
  const card = element("li", "", { className: "card" });
  card.dataset.id = tile.tile_id;
  const title = element("h3", tile.title, { draggable: true, title: "Drag to another place" });
  title.ondragstart = (event) => event.dataTransfer.setData("text/plain", tile.tile_id);
  card.ondragover = (event) => event.preventDefault();
  card.ondrop = (event) => {
    const moved = event.dataTransfer.getData("text/plain");
    if (moved.startsWith("tile-") && moved !== tile.tile_id) actions.move(moved, n, "");
  };
  const body = bodyOf(tile);
  card.append(title, ...troubles(tile), body, ...told(tile), toolsOf(tile, n, count, actions), changing(tile, actions), detailsOf(tile));
  card.draw = () => tile.result?.chart && !isNumber(tile) && draw(body, untitled(tile.result.chart), tile.title).catch((error) => { body.textContent = error.message; });
  return card;
}

const isNumber = ({ result, display }) => display !== "table" && result.row_count === 1 && result.columns.length === 1;

function troubles({ failure, changed, result }) {
  const kept = result ? ` Below is the result of ${moment(result.ran_at)}.` : "";
  return [
    ...(failure ? [element("p", `Failed ${moment(failure.at)}: ${failure.message}${kept}`, { className: "error" })] : []),
    ...(changed ? [element("p", `The data is not as it was when this was pinned: ${changed}.`, { className: "changed" })] : []),
  ];
}

function bodyOf(tile) {
  const { result } = tile;
  if (!result) return element("p", tile.failure ? "There is no earlier result." : "Not run yet.", { className: "pale" });
  if (isNumber(tile)) return element("p", shown(result.rows[0][0]), { className: "one" });
  if (result.chart) return element("div", "", { className: "picture" });
  if (!result.row_count) return element("p", "No rows match.");
  return rowsOf(result.columns.map((column) => column.name), formatted(result.columns, result.rows.slice(0, SHOWN_ROWS)));
}

// The card has the title; what a chart leaves out is told beneath it.
function untitled({ title, ...spec }) { return spec; }

function told({ result, question, title, caveats, reads }) {
  const notes = (result?.chart?.title?.subtitle ?? []).filter((line) => line !== question && line !== title);
  const rows = result && `${result.row_count.toLocaleString("en-US")} ${result.row_count === 1 ? "row" : "rows"}`;
  const more = result && !result.chart && result.row_count > SHOWN_ROWS ? `, the first ${SHOWN_ROWS} shown` : "";
  const facts = [result && `Ran ${moment(result.ran_at)}`, rows && rows + more, reads.length && `reads ${reads.join(", ")}`];
  return [
    element("p", facts.filter(Boolean).join(" · "), { className: "pale facts" }),
    ...[...notes, ...caveats].map((line) => element("p", line, { className: "facts" })),
  ];
}

function toolsOf(tile, n, count, actions) {
  const bar = element("div", "", { className: "row tools" });
  const step = (sign, words, by, name) => attributes(
    button(sign, () => actions.move(tile.tile_id, n + by, `${name}-${tile.tile_id}`), { id: `${name}-${tile.tile_id}`, disabled: n + by < 0 || n + by >= count }),
    { "aria-label": `Move “${tile.title}” ${words}` });
  bar.append(
    attributes(button("Refresh", () => actions.refresh(tile), { id: `refresh-${tile.tile_id}` }), { "aria-label": `Refresh “${tile.title}”` }),
    step("‹", "earlier", -1, "earlier"), step("›", "later", 1, "later"),
  );
  return bar;
}

function changing(tile, actions) {
  const made = element("details");
  const title = element("input", "", { value: tile.title, required: true, maxLength: 200 });
  const kinds = new Set(["auto", "table", ...(tile.result?.chart?.usermeta.kinds ?? []), tile.display]);
  const display = choice([...kinds].map((each) => [each, each === "auto" ? "what fits best" : each]), { id: `display-${tile.tile_id}` });
  display.value = tile.display;
  display.onchange = () => actions.change(tile, { display: display.value }, `refresh-${tile.tile_id}`);
  const rename = () => actions.change(tile, { title: title.value }, `refresh-${tile.tile_id}`);
  made.append(
    element("summary", "Change"),
    form([labelled("Title", title), row(element("button", "Rename"))], rename),
    labelled("Shown as", display),
    row(attributes(button("Remove", () => actions.remove(tile)), { "aria-label": `Remove “${tile.title}”` })),
  );
  return made;
}

function detailsOf(tile) {
  const made = element("details");
  const list = element("ul");
  list.append(...tile.reading.map((line) => element("li", line)));
  made.append(element("summary", "SQL and reading"), ...(tile.question ? [element("p", tile.question)] : []), ...(tile.reading.length ? [list] : []), element("pre", tile.sql, { tabIndex: 0 }));
  return made;
}
