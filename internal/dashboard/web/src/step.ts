// Breakpoints and stepping: what a search is stopped at, and how it goes on. In a trace the same panel shows the event at the place.

import { h, setAttribute, setText } from "./dom";
import { count, percent, proof, rateColour, score } from "./format";
import { currentLanguage, t, type Word } from "./i18n";
import type { Stopped, StoppedCandidate } from "./messages";
import type { Store } from "./store";
import { follow, japaneseMove, parseSFEN } from "./shogi";

/** The kinds of breakpoints with an example of their value, "" for those without one. */
const conditions: [string, Word, string][] = [
  ["move", "breakMove", "7g7f"], ["square", "breakSquare", "5e"], ["ply", "breakPly", "3"], ["jump", "breakJump", "0.2"], ["key", "breakKey", "0123456789abcdef"],
  ["merge", "breakMerge", ""], ["prune", "breakPrune", ""], ["proof", "breakProof", ""], ["event", "event", "best"], ["playout", "breakPlayout", "1000"],
];

/** What the panel tells about. */
export interface StepListener {
  send(command: { type: string } & Record<string, unknown>): void;
  path(moves: string[]): void; // show the position after them
}

/** StepView is the tab. */
export class StepView {
  private readonly locked: HTMLElement;
  private readonly lockText = h("p", { class: "note" });
  private readonly token = h("input", { type: "password", autocomplete: "off" });
  private readonly unlock = h("button", { type: "submit" });
  private readonly buttons: Record<"pause" | "step" | "playout" | "continue", HTMLButtonElement>;
  private readonly kind = h("select", { id: "break-kind", change: () => this.kindChanged() });
  private readonly value = h("input", { id: "break-value", type: "text", spellcheck: "false", autocomplete: "off" });
  private readonly add = h("button", { type: "submit", class: "primary", id: "break-add" });
  private readonly form: HTMLFormElement;
  private readonly list = h("ul", { class: "breaks" });
  private readonly titles = { list: h("h3"), stop: h("h3") };
  private readonly stop = h("div", { class: "stop", "aria-live": "polite" });
  private readonly control: HTMLElement;
  private keys = { list: "", stop: "", words: "" };

  constructor(panel: HTMLElement, private readonly listener: StepListener) {
    const button = (id: string, command: { type: string } & Record<string, unknown>) => h("button", { type: "button", id, click: () => listener.send(command) });
    this.buttons = {
      pause: button("step-pause", { type: "pause" }), step: button("step-event", { type: "step", what: "event", count: 1 }),
      playout: button("step-playout", { type: "step", what: "playout", count: 1 }), continue: button("step-continue", { type: "continue" }),
    };
    this.buttons.continue.classList.add("primary");
    this.kind.append(...conditions.map(([name]) => h("option", { value: name })));
    this.form = h("form", { class: "controls", submit: (e: Event) => this.submit(e) }, this.kind, this.value, this.add);
    this.locked = h("form", { class: "controls", submit: (e: Event) => this.give(e) }, this.lockText, this.token, this.unlock);
    this.control = h("div", { class: "controls" }, ...Object.values(this.buttons));
    const left = h("div", {}, this.titles.list, this.form, this.list);
    panel.append(this.locked, this.control, h("div", { class: "two" }, left, h("div", {}, this.titles.stop, this.stop)));
    this.kindChanged();
  }

  /** offer fills the form with a square, for a click on the board. */
  offer(square: string): void {
    this.kind.value = "square";
    this.kindChanged();
    this.value.value = square;
  }

  private kindChanged(): void {
    const [, , example] = conditions.find(([name]) => name === this.kind.value)!;
    this.value.hidden = example === "";
    this.value.placeholder = example;
    this.value.value = "";
  }

  private submit(e: Event): void {
    e.preventDefault();
    const value = this.value.value.trim() || this.value.placeholder;
    this.listener.send({ type: "break", text: this.value.hidden ? this.kind.value : `${this.kind.value} ${value}` });
  }

  private give(e: Event): void {
    e.preventDefault();
    this.listener.send({ type: "auth", token: this.token.value });
    this.token.value = "";
  }

  draw(store: Store): void {
    const may = store.hello?.canControl ?? false, live = store.hello?.mode !== "trace";
    const s = store.stopped;
    this.words();
    this.locked.hidden = may || !live;
    this.token.hidden = this.unlock.hidden = !store.hello?.hasToken;
    this.control.hidden = this.form.hidden = !may || !live;
    this.list.hidden = this.titles.list.hidden = !live;
    this.buttons.pause.disabled = store.search?.state !== "thinking";
    this.buttons.step.disabled = this.buttons.playout.disabled = this.buttons.continue.disabled = !s;
    setText(this.titles.stop, t(live ? "stoppedAt" : "stoppedHere"));
    this.drawList(store, may);
    const key = JSON.stringify([s, currentLanguage(), live]);
    if (key === this.keys.stop) return;
    this.keys.stop = key;
    this.stop.replaceChildren(...(s ? this.stopParts(s) : [h("p", { class: "empty" }, t(live ? "running" : "logEmpty"))]));
  }

  private words(): void {
    if (this.keys.words === currentLanguage()) return;
    this.keys.words = currentLanguage();
    for (const [i, [, word]] of conditions.entries()) setText(this.kind.options[i]!, t(word));
    setAttribute(this.kind, "aria-label", t("stopOn"));
    setAttribute(this.value, "aria-label", t("value"));
    setAttribute(this.token, "aria-label", t("token"));
    this.token.placeholder = t("token");
    setText(this.add, t("addBreakpoint"));
    setText(this.titles.list, t("breakpoints"));
    setText(this.lockText, t("readOnly"));
    setText(this.unlock, t("unlock"));
    setText(this.buttons.pause, t("attach"));
    setText(this.buttons.step, t("stepOne"));
    setText(this.buttons.playout, t("stepPlayout"));
    setText(this.buttons.continue, t("goOn"));
  }

  private drawList(store: Store, may: boolean): void {
    const list = store.breakpoints.list ?? [];
    const key = JSON.stringify([list, store.stopped?.breakpoint ?? 0, may, currentLanguage()]);
    if (key === this.keys.list) return;
    this.keys.list = key;
    this.list.replaceChildren(...list.map((b) => h("li", { class: b.id === store.stopped?.breakpoint ? "hit" : "" }, h("span", { class: "mono" }, b.text),
      may && h("button", { type: "button", "aria-label": `${t("remove")} ${b.text}`, title: t("remove"), click: () => this.listener.send({ type: "unbreak", id: b.id }) }, "✕"))));
    if (list.length === 0) this.list.append(h("p", { class: "note" }, t("noBreakpoints")));
  }

  private stopParts(s: Stopped): Node[] {
    const parts: Node[] = [h("p", { class: "mono stop-text" }, s.text ?? "")];
    const root = s.root ? parseSFEN(s.root) : null;
    const path = s.path ?? [];
    if (root && path.length) {
      const steps = follow(root, path);
      parts.push(h("p", { class: "line-strip" }, h("span", { class: "caption" }, t("path")), ...steps.map((step, i) =>
        h("button", { type: "button", click: () => this.listener.path(path.slice(0, i + 1)) }, currentLanguage() === "ja" ? step.japanese : step.usi))));
    }
    if (s.window) parts.push(h("p", {}, `${t("window")} ${score(s.window.alpha)} … ${score(s.window.beta)} · ${t("depth")} ${s.window.depth} · ${t("score")} ${score(s.window.score)}`));
    if (s.visits) parts.push(h("p", { class: "note" }, `N ${count(s.visits)} · Q ${percent(s.winRate ?? 0, 2)} · U = ${(s.scale ?? 0).toFixed(4)} · P / (1 + N)`));
    if (s.candidates?.length) parts.push(this.formula(s, s.candidates));
    if (s.key) parts.push(h("p", { class: "note" }, `${t("breakKey")} `, h("code", {}, s.key)));
    return parts;
  }

  private formula(s: Stopped, list: StoppedCandidate[]): HTMLElement {
    const position = s.position ? parseSFEN(s.position) : null;
    const rows = list.slice().sort((a, b) => b.q + b.u - (a.q + a.u)).slice(0, 12);
    return h("div", { class: "scroll" }, h("table", { class: "formula" },
      h("thead", {}, h("tr", {}, h("th", { class: "left" }, t("formula")), ...["Q + U", "Q", "U", "N", "P"].map((w) => h("th", {}, w)))),
      h("tbody", {}, ...rows.map((c) => h("tr", { class: c.chosen ? "chosen" : "", "aria-selected": c.chosen ? "true" : null },
        h("td", { class: "left" }, (c.chosen ? "▶ " : "") + (currentLanguage() === "ja" && position ? japaneseMove(position, c.move) : c.move)),
        h("td", {}, c.proof ? proof(c.proof) : (c.q + c.u).toFixed(4)), h("td", {}, swatch(c.q), c.q.toFixed(4) + (c.fresh ? "*" : "")),
        h("td", {}, c.u.toFixed(4)), h("td", {}, count(c.n) + (c.flying ? ` +${c.flying}` : "")), h("td", {}, percent(c.p)))))));
  }
}

function swatch(rate: number): HTMLElement {
  const e = h("span", { class: "swatch", "aria-hidden": "true" });
  e.style.background = rateColour(rate);
  return e;
}
