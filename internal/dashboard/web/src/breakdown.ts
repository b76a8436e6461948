// What an evaluation is made of: pieces taken off for the value net, groups of features for the policy, feature × weight for alpha-beta,
// and the terms that make one move better than another.

import type { Mark } from "./board";
import { h, setAttribute, setText } from "./dom";
import { percent } from "./format";
import { currentLanguage, t, type Word } from "./i18n";
import type { Breakdown, BreakdownKind, Candidate, Term } from "./messages";
import type { Store } from "./store";
import { japaneseMove, parseSFEN, pieceKanji, square } from "./shogi";
import { termName } from "./terms";

const kinds: [BreakdownKind, Word][] = [["occlusion", "occlusion"], ["policy", "policyFeatures"], ["features", "evaluation"], ["conflict", "conflict"]];
const serves = "#40a092", harms = "#e27c3a"; // for and against the side to move

/** marks paints an occlusion map: teal for pieces that serve the side to move, orange for those that serve the other. */
export function marks(b: Breakdown | undefined): Mark[] {
  const pieces = (b?.pieces ?? []).filter((p) => square(p.square) >= 0);
  const top = Math.max(0.02, ...pieces.map((p) => Math.abs(p.change)));
  return pieces.map((p) => ({
    square: square(p.square), text: points(p.change), colour: p.change < 0 ? serves : harms,
    opacity: 0.1 + 0.75 * (Math.abs(p.change) / top), title: `${pieceKanji(p.piece)} ${p.square} ${points(p.change)}`,
  }));
}

/** points writes a change of a win rate in points of a percent. */
export function points(change: number): string {
  const n = Math.round(1000 * change) / 10;
  return (n > 0 ? "+" : n < 0 ? "−" : "") + Math.abs(n).toFixed(1);
}

function number(n: number | undefined): string {
  if (n === undefined) return "";
  const text = Math.abs(n) >= 100 || Number.isInteger(n) ? String(Math.round(n)) : n.toFixed(3);
  return text.replace("-", "−");
}

/** BreakdownView is the tab. */
export class BreakdownView {
  private readonly kind = h("select", { id: "breakdown-kind", change: () => this.changed() });
  private readonly a = h("select");
  private readonly b = h("select");
  private readonly pair = h("span", { class: "controls" }, h("label", {}, "A", this.a), h("label", {}, "B", this.b));
  private readonly explain = h("button", { type: "button", class: "primary", id: "explain", click: () => this.ask() });
  private readonly paint = h("input", { type: "checkbox", checked: true, change: () => this.listener.redraw() });
  private readonly paintText = h("span");
  private readonly paintLabel = h("label", {}, this.paint, this.paintText);
  private readonly out = h("div", { class: "breakdown", "aria-live": "polite" });
  private chosen = ""; // move of the policy
  private waiting = false;
  private keys = { out: "", moves: "", words: "" };

  constructor(panel: HTMLElement, private readonly listener: { request: (kind: BreakdownKind, a: string, b: string) => void; redraw: () => void }) {
    this.kind.append(...kinds.map(([k]) => h("option", { value: k })));
    panel.append(h("div", { class: "controls" }, this.kind, this.pair, this.explain, this.paintLabel), this.out);
  }

  private current(): BreakdownKind {
    return this.kind.value as BreakdownKind;
  }

  /** marks is what to paint on the board for the position that it shows, nothing where that is another one. */
  marks(store: Store, sfen: string): Mark[] {
    const b = store.breakdowns.get("occlusion");
    return this.paint.checked && this.current() === "occlusion" && b && samePosition(b.position, sfen) ? marks(b) : [];
  }

  private changed(): void {
    this.keys.out = "";
    this.listener.redraw();
  }

  private ask(): void {
    this.waiting = true;
    this.listener.request(this.current(), this.a.value, this.b.value);
    this.changed();
  }

  /** answered says that a breakdown, or a refusal, came. */
  answered(): void {
    this.waiting = false;
    this.keys.out = "";
  }

  draw(store: Store): void {
    this.words();
    this.moves(store.search?.candidates ?? [], store.game?.position ?? "");
    this.pair.hidden = this.current() !== "conflict";
    this.paintLabel.hidden = this.current() !== "occlusion";
    const b = store.breakdowns.get(this.current());
    const key = `${b?.id} ${this.current()} ${currentLanguage()} ${this.chosen} ${this.waiting}`;
    if (key === this.keys.out) return;
    this.keys.out = key;
    if (this.waiting) this.out.replaceChildren(h("p", { class: "empty" }, t("explaining")));
    else if (!b) this.out.replaceChildren(h("p", { class: "empty" }, t("breakdownEmpty")));
    else this.out.replaceChildren(...this.parts(b));
  }

  private words(): void {
    if (this.keys.words === currentLanguage()) return;
    this.keys.words = currentLanguage();
    kinds.forEach(([, word], i) => setText(this.kind.options[i]!, t(word)));
    setAttribute(this.kind, "aria-label", t("breakdown"));
    setText(this.explain, t("explain"));
    setText(this.paintText, t("showOnBoard"));
  }

  // moves offers the candidates for A and B, and keeps what was chosen.
  private moves(list: Candidate[], sfen: string): void {
    const moves = list.map((c) => c.move);
    const key = JSON.stringify([moves, currentLanguage()]);
    if (key === this.keys.moves || document.activeElement === this.a || document.activeElement === this.b) return;
    this.keys.moves = key;
    const p = parseSFEN(sfen);
    [this.a, this.b].forEach((select, i) => {
      const before = select.value;
      select.replaceChildren(...moves.map((m) => h("option", { value: m }, currentLanguage() === "ja" && p ? japaneseMove(p, m) : m)));
      select.value = moves.includes(before) ? before : (moves[i] ?? moves[0] ?? "");
    });
  }

  private parts(b: Breakdown): Node[] {
    const head: Node[] = [];
    const why = verdict(b);
    if (why) head.push(h("p", {}, why));
    switch (b.kind) {
      case "occlusion":
        return [...head, h("p", { class: "note" }, `${t("occlusionNote")} (${t("winRate")} ${percent(b.winRate ?? 0)}, ${t("perspective")})`), pieceTable(b)];
      case "policy":
        return [...head, this.policy(b)];
      case "features":
        return [...head, termTable(b.terms ?? [], "features", b.score)];
      case "conflict":
        return [...head, termTable(b.terms ?? [], "conflict", undefined, [b.a ?? "A", b.b ?? "B"])];
    }
  }

  private policy(b: Breakdown): HTMLElement {
    const moves = b.moves ?? [], p = parseSFEN(b.position);
    const chosen = moves.find((m) => m.move === this.chosen) ?? moves[0];
    const top = Math.max(0.001, ...moves.map((m) => m.prior));
    const table = h("table", { class: "bars" },
      h("thead", {}, h("tr", {}, h("th", { class: "left" }, t("move")), h("th", {}, t("prior")), h("th", {}, t("logit")), h("th", {}))),
      h("tbody", {}, ...moves.slice(0, 20).map((m) => h("tr", { class: "choice", "aria-selected": m === chosen ? "true" : null, click: () => this.pick(m.move) },
        h("td", { class: "left" }, h("button", { type: "button", class: "plain" }, currentLanguage() === "ja" && p ? japaneseMove(p, m.move) : m.move)),
        h("td", {}, percent(m.prior)), h("td", {}, number(m.logit)), h("td", { class: "bar-cell" }, meter(m.prior / top))))));
    return h("div", { class: "two" }, h("div", { class: "scroll" }, table), chosen ? h("div", { class: "scroll" }, termTable(chosen.parts ?? [], "policy", chosen.logit)) : null);
  }

  private pick(move: string): void {
    this.chosen = move;
    this.changed();
  }
}

/** samePosition compares two SFEN without their move numbers. */
export function samePosition(a: string, b: string): boolean {
  const head = (s: string) => s.trim().split(/\s+/).slice(0, 3).join(" ");
  return head(a) === head(b);
}

/** verdict says in a sentence which term of a conflict speaks most for one line. */
export function verdict(b: Breakdown): string {
  const first = b.terms?.[0];
  if (b.kind !== "conflict" || !first || !b.basis) return "";
  const by = first.difference ?? 0, [better, worse] = by < 0 ? [b.b, b.a] : [b.a, b.b];
  return t("beats").replace("$name", termName(b.basis)).replace("$a", better ?? "A").replace("$b", worse ?? "B").replace("$term", termName(first.name))
    .replace("$by", Math.abs(by).toFixed(2));
}

function meter(share: number): HTMLElement {
  const i = h("i");
  i.style.width = percent(share);
  return h("span", { class: "meter" }, i);
}

// both is a bar to the right for what is above 0 and to the left for what is below.
function both(value: number, top: number, goodIsPlus = true): HTMLElement {
  const i = h("i", { class: value >= 0 === goodIsPlus ? "plus" : "minus" });
  i.style.width = percent(Math.min(1, Math.abs(value) / top) / 2);
  return h("span", { class: "both", "aria-hidden": "true" }, i);
}

function pieceTable(b: Breakdown): HTMLElement {
  const pieces = (b.pieces ?? []).slice().sort((x, y) => Math.abs(y.change) - Math.abs(x.change)).slice(0, 24);
  const top = Math.max(0.001, ...pieces.map((p) => Math.abs(p.change)));
  return h("div", { class: "scroll" }, h("table", { class: "bars" },
    h("thead", {}, h("tr", {}, h("th", { class: "left" }, t("piece")), h("th", {}, t("change")), h("th", {}))),
    h("tbody", {}, ...pieces.map((p) => h("tr", {},
      h("td", { class: "left" }, `${p.piece.toLowerCase() === p.piece ? "☖" : "☗"} ${pieceKanji(p.piece)} `, h("span", { class: "mono soft" }, p.square === "hand" ? t("hand") : p.square)),
      h("td", {}, points(p.change)), h("td", { class: "bar-cell" }, both(-p.change, top)))))));
}

/** termTable lists a sum's terms, the largest first. */
function termTable(terms: Term[], kind: BreakdownKind, sum?: number, names: [string, string] = ["A", "B"]): HTMLElement {
  const conflict = kind === "conflict", weighted = !conflict && terms.some((x) => x.weight !== undefined);
  const of = (x: Term) => (conflict ? (x.difference ?? 0) : x.product);
  const list = terms.slice().sort((x, y) => Math.abs(of(y)) - Math.abs(of(x)));
  const top = Math.max(1e-6, ...list.map((x) => Math.abs(of(x))));
  const heads = conflict ? [...names, t("difference")] : weighted ? [t("value"), t("weight"), t("contribution")] : [t("contribution")];
  const figures = (x: Term) => (conflict ? [x.product, x.b ?? 0, x.difference ?? 0] : weighted ? [x.value ?? 0, x.weight ?? 0, x.product] : [x.product]);
  const rows = list.map((x) => h("tr", {}, h("td", { class: "left" }, termName(x.name)), ...figures(x).map((n) => h("td", {}, number(n))), h("td", { class: "bar-cell" }, both(of(x), top))));
  if (sum !== undefined) rows.push(h("tr", { class: "total" }, h("td", { class: "left" }, t("total")), ...heads.slice(1).map(() => h("td")), h("td", {}, number(sum)), h("td")));
  return h("div", { class: "scroll" }, h("table", { class: "bars" },
    h("thead", {}, h("tr", {}, h("th", { class: "left" }, t("feature")), ...heads.map((w) => h("th", {}, w)), h("th", {}))), h("tbody", {}, ...rows)));
}
