// The table of candidates.

import { curveColour } from "./charts";
import { h, setAttribute, setText } from "./dom";
import { count, percent, proof, rateColour, score } from "./format";
import { currentLanguage, t, type Word } from "./i18n";
import type { Candidate, Search } from "./messages";
import { follow, japaneseMove, type Position } from "./shogi";

interface Row {
  element: HTMLTableRowElement;
  button: HTMLButtonElement;
  cells: Record<Column, HTMLElement>;
  usi: HTMLElement;
  swatch: HTMLElement;
  meter: HTMLElement;
  rate: HTMLElement;
}

type Column = "visits" | "share" | "score" | "prior" | "q" | "u" | "lcb" | "pv";
const columns: { name: Column; word?: Word; head?: string; both?: boolean; narrow?: boolean }[] = [
  { name: "visits", word: "visits", both: true, narrow: true },
  { name: "share", word: "share", both: true, narrow: true },
  { name: "score", word: "score" },
  { name: "q", head: "Q", both: true, narrow: true },
  { name: "prior", head: "P" },
  { name: "u", head: "U" },
  { name: "lcb", head: "LCB" },
  { name: "pv", word: "pvColumn", both: true },
];

/** What the table tells about: a pointer or the focus on a move, and a choice. */
export interface Listener {
  hover(move: string | null): void;
  choose(move: string): void;
}

/** CandidateTable is the element. */
export class CandidateTable {
  private readonly rows = new Map<string, Row>();
  private readonly body = h("tbody");
  private readonly head = h("tr");
  private readonly more = h("p", { class: "note" });
  private readonly empty = h("p", { class: "empty" });
  private readonly table = h("table", { class: "candidates" }, h("thead", {}, this.head), this.body);
  private order = "";
  private headKey = "";

  constructor(frame: HTMLElement, private readonly listener: Listener) {
    this.body.addEventListener("mouseleave", () => listener.hover(null));
    frame.append(this.table, this.more, this.empty);
  }

  draw(search: Search | null, position: Position | null, colours: Map<string, number>, chosen: string | null): void {
    const list = search?.candidates ?? [];
    const none = list.length === 0 || !position;
    this.empty.hidden = !none;
    this.table.hidden = none;
    setText(this.empty, `${t("waiting")}. ${t("waitingHint")}`);
    setText(this.more, search?.moreMoves ? `+ ${search.moreMoves} ${t("moreMoves")}` : "");
    if (none) return;
    const alphaBeta = search!.engine === "alphabeta";
    this.drawHead(alphaBeta);
    const order = list.map((c) => c.move).join(" ");
    if (order !== this.order) this.arrange(list);
    this.order = order;
    for (const c of list) this.drawRow(this.rows.get(c.move)!, c, position!, alphaBeta, colours.get(c.move), chosen === c.move);
  }

  private drawHead(alphaBeta: boolean): void {
    const key = `${alphaBeta} ${currentLanguage()}`;
    if (key === this.headKey) return;
    this.headKey = key;
    this.head.replaceChildren(h("th", { class: "left", scope: "col" }, t("move")),
      ...columns.map((c) => h("th", { scope: "col", class: this.columnClass(c.name), hidden: this.hides(c.name, alphaBeta) }, c.word ? t(c.word) : c.head ?? "")));
  }

  private columnClass(name: Column): string {
    const c = columns.find((c) => c.name === name)!;
    return (c.narrow ? "" : "wide-only ") + (name === "pv" ? "left pv" : name);
  }

  private hides(name: Column, alphaBeta: boolean): boolean {
    const c = columns.find((c) => c.name === name)!;
    return !c.both && (name === "score") !== alphaBeta;
  }

  // arrange puts the rows in the order of the list, and keeps the focus where it is.
  private arrange(list: Candidate[]): void {
    const focus = document.activeElement;
    const wanted = new Set(list.map((c) => c.move));
    for (const [move, row] of this.rows) {
      if (!wanted.has(move)) {
        row.element.remove();
        this.rows.delete(move);
      }
    }
    list.forEach((c, i) => {
      let row = this.rows.get(c.move);
      if (!row) this.rows.set(c.move, (row = this.makeRow(c.move)));
      if (this.body.children[i] !== row.element) this.body.insertBefore(row.element, this.body.children[i] ?? null);
    });
    if (focus instanceof HTMLElement && focus !== document.activeElement && this.body.contains(focus)) focus.focus({ preventScroll: true });
  }

  private makeRow(move: string): Row {
    const swatch = h("span", { class: "swatch", "aria-hidden": "true" });
    const button = h("button", { type: "button", focus: () => this.listener.hover(move), blur: () => this.listener.hover(null) });
    const usi = h("span", { class: "usi" });
    const cells = {} as Record<Column, HTMLElement>;
    for (const c of columns) cells[c.name] = h("td", { class: this.columnClass(c.name) });
    const meter = h("i"), rate = h("span", { class: "rate" });
    cells.share.append(h("span"), h("span", { class: "meter", "aria-hidden": "true" }, meter));
    cells.q.append(rate);
    const element = h("tr", { class: "choice", "data-move": move, mouseenter: () => this.listener.hover(move), click: () => this.listener.choose(move) },
      h("td", { class: "move" }, swatch, button, usi), ...columns.map((c) => cells[c.name]));
    return { element, button, cells, usi, swatch, meter, rate };
  }

  private drawRow(row: Row, c: Candidate, position: Position, alphaBeta: boolean, colour: number | undefined, chosen: boolean): void {
    const japanese = currentLanguage() === "ja";
    const both = [c.move, japaneseMove(position, c.move)];
    setText(row.button, both[japanese ? 1 : 0]!);
    setText(row.usi, both[japanese ? 0 : 1]!);
    setAttribute(row.element, "aria-selected", chosen ? "true" : null);
    const has = colour !== undefined;
    row.swatch.classList.toggle("none", !has);
    row.swatch.style.background = has ? curveColour(colour) : "";
    setText(row.cells.visits, count(c.visits));
    setText(row.cells.share.firstElementChild!, percent(c.share));
    row.meter.style.width = percent(c.share);
    setText(row.rate, c.proof ? proof(c.proof) : percent(c.q));
    row.rate.style.background = rateColour(c.q);
    setText(row.cells.prior, percent(c.prior ?? 0));
    setText(row.cells.u, (c.u ?? 0).toFixed(4));
    setText(row.cells.lcb, percent(c.lcb ?? 0));
    setText(row.cells.score, (c.bound === "upper" ? "≤ " : c.bound === "lower" ? "≥ " : "") + score(c.cp));
    const pv = c.pv ?? [];
    setText(row.cells.pv, japanese ? follow(position, pv.slice(0, 8)).map((s) => s.japanese.replace(/\(.*/, "")).join(" ") : pv.slice(0, 12).join(" "));
    for (const k of columns) row.cells[k.name].hidden = this.hides(k.name, alphaBeta);
  }
}
