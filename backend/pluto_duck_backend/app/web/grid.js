// A table that scrolls through millions of rows: it asks the server for what is in sight, sorted and filtered there.
import { get } from "./api.js";
import { attributes, button, element, formatOf } from "./dom.js";

const ROW = 28;
const PAGE = 200;
const TALLEST = 8_000_000; // beyond it a pixel stands for more than a pixel, since browsers end at some height
const KEPT_PAGES = 40;
const WIDEST = 42;

export class Grid {
  constructor(host, job, first) {
    Object.assign(this, { host, job, columns: job.columns, count: first.row_count, pages: new Map([[0, first.rows]]) });
    Object.assign(this, { sort: "", descending: false, filter: "", wanted: new Set(), version: 0, lines: [] });
    this.body = element("div", "", { className: "lines" });
    this.strip = element("div", "", { className: "strip" }); // the lines in sight, moved as one
    this.body.append(this.strip);
    this.view = attributes(element("div", "", { className: "grid", tabIndex: 0, onscroll: () => this.draw() }), {
      role: "table", "aria-label": "Result", "aria-rowcount": this.count + 1, "aria-colcount": this.columns.length,
    });
    this.head = attributes(element("div", "", { className: "line head" }), { role: "row" });
    this.head.append(...this.columns.map((column) => this.header(column)));
    const sheet = element("div", "", { className: "sheet" }); // as wide as its head
    sheet.append(this.head, this.body);
    this.view.append(sheet);
    host.replaceChildren(this.view);
    this.measure(first.rows);
    this.resize();
    new ResizeObserver(() => this.draw()).observe(this.view);
  }

  header(column) {
    const by = button(column.name, () => this.sortBy(column.name), { title: `${column.type}; click to sort` });
    const cell = attributes(element("div"), { role: "columnheader", "aria-sort": "none" });
    cell.append(by);
    return cell;
  }

  measure(rows) {
    const some = rows.slice(0, 50);
    this.formats = this.columns.map((column, n) => formatOf(column, some.map((row) => row[n])));
    const widths = this.columns.map((column, n) =>
      Math.min(WIDEST, Math.max(column.name.length + 2, ...some.map((row) => this.formats[n](row[n]).length)) + 2));
    this.template = widths.map((width) => `${width}ch`).join(" ");
    this.head.style.gridTemplateColumns = this.template;
    this.numeric = this.columns.map((_, n) => rows.some((row) => typeof row[n] === "number"));
    this.head.childNodes.forEach((cell, n) => cell.classList.toggle("number", this.numeric[n]));
  }

  resize() {
    this.height = Math.min(this.count * ROW, TALLEST);
    this.body.style.height = `${this.height}px`;
    const high = Math.min((this.count + 1) * ROW, 420);
    this.view.style.height = `${high + 2}px`;
    this.view.style.height = `${high + this.view.offsetHeight - this.view.clientHeight}px`; // borders, and a bar where it is wide
    this.draw();
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.paint());
  }

  paint() {
    const fitting = Math.ceil(this.view.clientHeight / ROW) + 1;
    const room = Math.max(this.height - this.view.clientHeight + ROW, 1);
    const last = Math.max(this.count - fitting + 2, 0);
    const first = this.height < TALLEST
      ? Math.floor(this.view.scrollTop / ROW)
      : Math.round(Math.min(this.view.scrollTop / room, 1) * last);
    const top = this.height < TALLEST ? first * ROW : this.view.scrollTop;
    while (this.lines.length < fitting) this.lines.push(this.line());
    this.strip.style.transform = `translateY(${top}px)`;
    this.lines.forEach((line, n) => this.fill(line, first + n));
  }

  line() {
    const made = attributes(element("div", "", { className: "line" }), { role: "row" });
    const cells = this.columns.map(() => new Text());
    made.append(...cells.map((cell, n) => {
      const box = attributes(element("div", "", { className: this.numeric[n] ? "number" : "" }), { role: "cell" });
      box.append(cell);
      return box;
    }));
    made.style.gridTemplateColumns = this.template;
    this.strip.append(made);
    return { made, cells };
  }

  fill({ made, cells }, number) {
    made.hidden = number >= this.count;
    if (made.hidden) return;
    const row = this.pages.get(Math.floor(number / PAGE))?.[number % PAGE];
    if (!row) this.fetch(Math.floor(number / PAGE));
    made.setAttribute("aria-rowindex", number + 2);
    cells.forEach((cell, n) => {
      const text = row ? this.formats[n](row[n]) : "…";
      if (cell.data !== text) cell.data = text;
    });
  }

  // Only what is still in sight when the scrolling pauses is asked for.
  fetch(page) {
    this.wanted.add(page);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const pages = [...this.wanted].slice(-2);
      this.wanted.clear();
      for (const each of pages) this.load(each);
    }, 40);
  }

  async load(page) {
    const version = this.version;
    const query = new URLSearchParams({
      offset: page * PAGE, limit: PAGE, sort: this.sort, descending: this.descending, filter: this.filter,
    });
    const found = await get(`/query/${this.job.job_id}/rows?${query}`);
    if (version !== this.version) return;
    this.pages.set(page, found.rows);
    if (this.pages.size > KEPT_PAGES) this.pages.delete(this.pages.keys().next().value);
    if (found.row_count !== this.count) { this.count = found.row_count; this.resize(); }
    this.view.setAttribute("aria-rowcount", this.count + 1);
    this.onCount?.(this.count);
    this.draw();
  }

  sortBy(name) {
    this.descending = this.sort === name && !this.descending;
    this.sort = name;
    this.head.childNodes.forEach((cell, n) => {
      const order = this.columns[n].name !== name ? "none" : this.descending ? "descending" : "ascending";
      cell.setAttribute("aria-sort", order);
    });
    return this.again();
  }

  filterBy(text) { this.filter = text; return this.again(); }

  async again() {
    this.version += 1;
    this.pages.clear();
    this.view.scrollTop = 0;
    await this.load(0);
  }
}
