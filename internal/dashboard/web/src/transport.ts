// The bar to go through a trace: first, back, play, next, last, and a slider.

import { h, setAttribute, setText, svg } from "./dom";
import { count } from "./format";
import { t, type Word } from "./i18n";
import type { Store } from "./store";

const icons = {
  first: "M2 2H4V14H2ZM14 2V14L5 8Z", back: "M12 2V14L4 8Z", play: "M3 1.5L14 8L3 14.5Z", pause: "M3 2H6.5V14H3ZM9.5 2H13V14H9.5Z",
  next: "M4 2V14L12 8Z", last: "M12 2H14V14H12ZM2 2V14L11 8Z",
};

/** Transport is the bar. */
export class Transport {
  private readonly slider = h("input", { type: "range", min: 0, max: 1, step: 1, id: "seek", input: () => this.seekSoon() });
  private readonly where = h("output");
  private readonly choose = h("select", { id: "trace-search", change: () => this.send({ type: "seek", search: Number(this.choose.value), at: 0 }) });
  private readonly speed = h("select", { change: () => this.playing && this.send({ type: "play", on: true, speed: Number(this.speed.value) }) });
  private readonly buttons: [HTMLButtonElement, Word][];
  private readonly toggle: HTMLButtonElement;
  private playing = false;
  private timer = 0;
  private records = 0;
  private searchesKey = "";

  constructor(bar: HTMLElement, private readonly send: (command: { type: string } & Record<string, unknown>) => void) {
    const button = (id: string, icon: keyof typeof icons, word: Word, act: () => void): [HTMLButtonElement, Word] =>
      [h("button", { type: "button", class: "tool", id, click: act }, svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: icons[icon] }))), word];
    this.buttons = [
      button("trace-first", "first", "first", () => this.act("first")), button("trace-back", "back", "previous", () => this.act("back")),
      button("trace-play", "play", "play", () => this.act("play")), button("trace-next", "next", "next", () => this.act("next")), button("trace-last", "last", "last", () => this.act("last")),
    ];
    this.toggle = this.buttons[2]![0];
    for (const n of [0.1, 0.25, 0.5, 1, 2, 5, 10]) this.speed.append(h("option", { value: n, selected: n === 1 }, "×" + n));
    bar.append(...this.buttons.map(([b]) => b), this.speed, this.slider, this.choose, this.where);
  }

  /** act does what a button or key says. */
  act(what: "first" | "back" | "play" | "next" | "last" | "nextSearch" | "previousSearch"): void {
    switch (what) {
      case "first": return this.send({ type: "seek", at: 0 });
      case "last": return this.send({ type: "seek", at: this.records });
      case "back": return this.send({ type: "back", filter: "" });
      case "next": return this.send({ type: "next", filter: "" });
      case "play": return this.send({ type: "play", on: !this.playing, speed: Number(this.speed.value) });
      case "nextSearch":
      case "previousSearch": {
        const to = this.choose.options[this.choose.selectedIndex + (what === "nextSearch" ? 1 : -1)];
        if (to) this.send({ type: "seek", search: Number(to.value), at: 0 });
      }
    }
  }

  // seekSoon waits for the slider to rest a moment, so that dragging does not flood the server.
  private seekSoon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.send({ type: "seek", at: Number(this.slider.value) });
    }, 80);
  }

  draw(store: Store): void {
    const trace = store.trace;
    if (!trace) return;
    this.playing = trace.playing ?? false;
    this.records = trace.records;
    this.slider.max = String(trace.records);
    if (!this.timer) this.slider.value = String(trace.at);
    setAttribute(this.slider, "aria-label", t("seek"));
    setAttribute(this.slider, "aria-valuetext", trace.text ?? String(trace.at));
    setAttribute(this.toggle.querySelector("path")!, "d", icons[this.playing ? "pause" : "play"]);
    setAttribute(this.toggle, "aria-pressed", String(this.playing));
    for (const [b, word] of this.buttons) {
      const text = t(b === this.toggle && this.playing ? "pausePlay" : word);
      setAttribute(b, "title", text);
      setAttribute(b, "aria-label", text);
    }
    setAttribute(this.speed, "aria-label", t("speedFactor"));
    setAttribute(this.choose, "aria-label", t("search"));
    setText(this.where, `${count(trace.at)} / ${count(trace.records)}` + (trace.cut ? ` (${t("cutTrace")})` : ""));
    this.searches(store);
  }

  private searches(store: Store): void {
    const key = JSON.stringify([store.searches, t("search")]);
    if (key !== this.searchesKey) {
      this.searchesKey = key;
      this.choose.replaceChildren(...store.searches.map((s) => h("option", { value: s.number }, `${t("search")} ${s.number}: ${t("moveNumber")} ${s.ply}` + (s.best ? ` ${s.best}` : ""))));
    }
    if (document.activeElement !== this.choose) this.choose.value = String(store.trace!.search);
  }
}
