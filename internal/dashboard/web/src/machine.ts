// The cards beside the board: speed, clock, alpha-beta, hash and memory, workers, events.

import { h, setAttribute, setText, svg } from "./dom";
import { bytes, count, percent, score, seconds } from "./format";
import { reasonText, t, type Word } from "./i18n";
import type { Clock, Hash, Search } from "./messages";
import type { Store } from "./store";

/** Card is a panel with a title in the page's language. */
class Card {
  readonly element: HTMLElement;
  private readonly title = h("h2");

  constructor(private readonly word: Word, ...children: Node[]) {
    this.element = h("section", { class: "panel card" }, this.title, ...children);
  }

  protected drawTitle(): void {
    setText(this.title, t(this.word));
  }
}

/** Facts is a list of names and figures. */
class Facts {
  readonly element = h("dl");
  private readonly cells = new Map<string, [HTMLElement, HTMLElement]>();

  /** set writes a figure; null takes it away. */
  set(word: Word, text: string | null): void {
    let cell = this.cells.get(word);
    if (!cell) {
      cell = [h("dt"), h("dd")];
      this.cells.set(word, cell);
      this.element.append(...cell);
    }
    for (const e of cell) e.hidden = text === null;
    setText(cell[0], t(word));
    if (text !== null) setText(cell[1], text);
  }
}

/** Meter is a bar of a share, with its words for screen readers. */
class Meter {
  private readonly fill = h("i");
  private readonly tick = h("b", { hidden: true });
  readonly element = h("div", { class: "bar", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100 }, this.fill, this.tick);

  set(share: number, label: string, tick = -1): void {
    const s = Math.min(1, Math.max(0, share));
    this.fill.style.width = percent(s);
    this.tick.hidden = tick < 0;
    this.tick.style.left = percent(Math.min(1, Math.max(0, tick)));
    setAttribute(this.element, "aria-valuenow", (100 * s).toFixed(0));
    setAttribute(this.element, "aria-label", label);
  }
}

class SpeedCard extends Card {
  private readonly big: HTMLElement;
  private readonly small: HTMLElement;
  private readonly area: SVGPathElement;
  private readonly curve: SVGPathElement;
  private readonly facts: Facts;

  constructor() {
    const number = h("span"), small = h("small"), facts = new Facts();
    const area = svg("path", { class: "area" }), curve = svg("path");
    super("speed", h("p", { class: "big" }, number, " ", small),
      svg("svg", { class: "spark", viewBox: "0 0 150 36", preserveAspectRatio: "none", "aria-hidden": "true" }, area, curve), facts.element);
    [this.big, this.small, this.area, this.curve, this.facts] = [number, small, area, curve, facts];
  }

  draw(s: Search | null, speeds: number[]): void {
    this.drawTitle();
    const unit: Word = s?.engine === "alphabeta" ? "nodes" : "playouts";
    const busy = s?.state === "thinking";
    const mean = s && s.elapsed > 0 ? (1000 * s.playouts) / s.elapsed : 0;
    setText(this.big, s ? count(busy ? s.speed : mean) : "–");
    setText(this.small, `${t(unit)} ${t("perSecond")}`);
    const top = Math.max(1, ...speeds) * 1.08;
    const d = speeds.map((v, i) => `${i ? "L" : "M"}${(150 * i) / Math.max(1, speeds.length - 1)} ${(35 - (33 * v) / top).toFixed(1)}`).join("");
    setAttribute(this.curve, "d", d);
    setAttribute(this.area, "d", d ? `${d}V36H0Z` : "");
    this.facts.set(unit, s ? count(s.playouts) : null);
    this.facts.set("visits", s?.visits ? count(s.visits) : null);
    this.facts.set("time", s ? seconds(s.elapsed) : null);
    this.facts.set("depth", s ? (s.meanDepth ? `${s.meanDepth.toFixed(1)} / ` : s.alphaBeta ? `${s.alphaBeta.depth} / ` : "") + (s.selDepth ?? "–") : null);
  }
}

class ClockCard extends Card {
  private readonly meter: Meter;
  private readonly facts: Facts;
  private readonly none: HTMLElement;
  private readonly list: HTMLElement;
  private key = "";

  constructor() {
    const meter = new Meter(), facts = new Facts(), none = h("p", { class: "note" }), list = h("ol", { class: "decisions", tabindex: 0 });
    super("clock", meter.element, facts.element, none, list);
    [this.meter, this.facts, this.none, this.list] = [meter, facts, none, list];
  }

  draw(s: Search | null): void {
    this.drawTitle();
    const c = s?.clock, has = !!c && c.hard > 0;
    this.meter.element.hidden = !has;
    this.none.hidden = !!c;
    setText(this.none, t("noClock"));
    const used = Math.max(0, (s?.elapsed ?? 0) - (c?.zero ?? 0));
    if (has) this.meter.set(used / c.hard, t("used"), c.optimum ? c.optimum / c.hard : -1);
    this.facts.set("used", has ? seconds(used) : null);
    this.facts.set("plan", has && c.optimum ? seconds(c.optimum) : null);
    this.facts.set("hard", has ? seconds(c.hard) : null);
    this.decisions(c);
  }

  private decisions(c: Clock | undefined): void {
    const rows = (c?.decisions ?? []).map((d) => [seconds(d.at), decisionText(d.what), d.reason ? reasonText(d.reason) : ""] as const);
    const key = JSON.stringify([rows, t("decisions")]);
    if (key === this.key) return;
    this.key = key;
    setAttribute(this.list, "aria-label", t("decisions"));
    this.list.hidden = rows.length === 0;
    this.list.replaceChildren(...rows.map(([at, what, why]) => h("li", {}, h("time", {}, at), h("span", {}, what + (why ? ": " + why : "")))));
    this.list.scrollTop = this.list.scrollHeight;
  }
}

/** decisionText says what the clock did. */
function decisionText(what: string): string {
  return what === "plan" ? t("decisionPlan") : what === "stop" ? t("decisionStop") : what;
}

class AlphaBetaCard extends Card {
  private readonly facts: Facts;
  private readonly line: HTMLElement;

  constructor() {
    const facts = new Facts(), line = h("p", { class: "mono path" });
    super("alphaBeta", facts.element, line);
    [this.facts, this.line] = [facts, line];
  }

  draw(s: Search | null): void {
    const a = s?.alphaBeta;
    this.element.hidden = !a;
    if (!a) return;
    this.drawTitle();
    this.facts.set("depth", String(a.depth));
    this.facts.set("currentMove", a.rootMove ? `${a.rootMove} (${a.rootIndex ?? "?"}/${a.rootMoves ?? "?"})` : null);
    this.facts.set("window", `${score(a.alpha)} … ${score(a.beta)}`);
    this.facts.set("score", score(a.score));
    this.facts.set("nodeWindow", a.line?.length ? `${score(a.lineAlpha)} … ${score(a.lineBeta)} (${a.lineDepth})` : null);
    this.facts.set("cuts", count(a.cuts));
    this.facts.set("skippedMoves", count(a.skipped));
    this.facts.set("tableAnswers", count(a.answers));
    setText(this.line, a.line?.join(" ") ?? "");
    this.line.title = t("bestLine") + ": " + (a.principal ?? []).join(" ");
  }
}

/** Histogram is a row of bars with a note for each and the ends of its axis. */
class Histogram {
  private readonly bars = h("div", { class: "histogram", role: "img" });
  private readonly low = h("span");
  private readonly middle = h("span");
  private readonly high = h("span");
  readonly element = h("div", {}, this.bars, h("div", { class: "histogram-axis" }, this.low, this.middle, this.high));
  private key = "";

  /** draw takes counts from a first number on; the bars' heights are their square roots, so that few are seen too. */
  draw(title: string, counts: number[], first: number): void {
    const key = JSON.stringify([title, counts, first]);
    this.element.hidden = counts.length === 0;
    if (key === this.key) return;
    this.key = key;
    const top = Math.max(1, ...counts);
    this.bars.setAttribute("aria-label", `${title}: ${counts.map((n, i) => `${first + i}: ${n}`).join(", ")}`);
    this.bars.replaceChildren(...counts.map((n, i) => {
      const bar = h("div", { title: `${first + i}: ${count(n)}` });
      bar.style.height = percent(Math.sqrt(n / top));
      return bar;
    }));
    setText(this.low, String(first));
    setText(this.middle, title);
    setText(this.high, String(first + counts.length - 1));
  }
}

class MemoryCard extends Card {
  private readonly meter: Meter;
  private readonly facts: Facts;
  private readonly probes: Histogram;
  private readonly fill: Histogram;
  private readonly note: HTMLElement;

  constructor() {
    const meter = new Meter(), facts = new Facts(), probes = new Histogram(), fill = new Histogram(), note = h("p", { class: "note" });
    super("hash", meter.element, facts.element, probes.element, fill.element, note);
    [this.meter, this.facts, this.probes, this.fill, this.note] = [meter, facts, probes, fill, note];
  }

  draw(s: Search | null, hash: Hash | null): void {
    this.drawTitle();
    const m = s?.memory;
    this.element.hidden = !m && !hash;
    const full = m ? m.full / 1000 : (hash?.load ?? 0);
    this.meter.element.hidden = full < 0;
    this.meter.set(full, t("occupancy"));
    const of = (used: number | undefined, all: number | undefined) => (all ? `${count(used ?? 0)} / ${count(all)}` : null);
    this.facts.set("occupancy", (m || hash) && full >= 0 ? percent(full) : null);
    this.facts.set("slots", of(m?.usedSlots ?? hash?.used, m?.slots ?? hash?.cap));
    this.facts.set("cells", of(m?.usedCells, m?.cells));
    this.facts.set("inUse", m?.usedBytes ? bytes(m.usedBytes) : null);
    this.facts.set("evaluations", m?.evaluations ? count(m.evaluations) : null);
    this.facts.set("recycled", m && (m.slots || m.recycled) ? count(m.recycled ?? 0) : null);
    this.facts.set("recyclings", m?.pauses ? count(m.pauses) + (m.longestPause ? ` (${t("longest")} ${m.longestPause.toFixed(2)} ms)` : "") : null);
    this.facts.set("average", hash ? `${hash.meanProbe.toFixed(3)} (${t("longestRun")} ${hash.longestRun})` : null);
    this.note.hidden = !hash?.resting || s?.state !== "thinking";
    setText(this.note, t("hashResting"));
    this.probes.draw(t("probes"), (hash?.probeLengths ?? []).slice(1), 1);
    this.fill.draw(t("plyFill"), (hash?.plyFill ?? []).slice(0, 80), hash?.firstPly ?? 0);
  }
}

class WorkersCard extends Card {
  private readonly list: HTMLElement;
  private readonly note: HTMLElement;
  private rows: { number: HTMLElement; meter: Meter; text: HTMLElement }[] = [];

  constructor() {
    const list = h("div", { class: "workers" }), note = h("p", { class: "note" });
    super("workers", list, note);
    [this.list, this.note] = [list, note];
  }

  draw(s: Search | null): void {
    this.drawTitle();
    const workers = s?.workers ?? [];
    this.element.hidden = workers.length === 0;
    while (this.rows.length < workers.length) {
      const row = { number: h("span", { class: "soft" }), meter: new Meter(), text: h("span") };
      this.rows.push(row);
      this.list.append(h("div", {}, row.number, row.meter.element, row.text));
    }
    this.rows.forEach((row, i) => ((this.list.children[i] as HTMLElement).hidden = i >= workers.length));
    const top = Math.max(1, ...workers.map((w) => w.speed || w.playouts));
    this.note.hidden = !s?.eventsPartial || workers.length < 2;
    setText(this.note, t("workersPartial"));
    const still = workers.every((w) => !w.speed);
    workers.forEach((w, i) => {
      const row = this.rows[i]!, value = still ? w.playouts : w.speed;
      setText(row.number, "#" + w.number);
      row.meter.set(value / top, `${t("workers")} ${w.number}`);
      setText(row.text, still ? count(w.playouts) : count(w.speed) + "/s");
      (this.list.children[i] as HTMLElement).title = `${count(w.playouts)} · ${t("depth")} ${w.ply}`;
    });
  }
}

class EventsCard extends Card {
  private readonly facts = h("dl");
  private readonly note = h("p", { class: "note" });
  private key = "";

  constructor() {
    super("events");
    this.element.append(this.facts, this.note);
  }

  draw(s: Search | null): void {
    this.drawTitle();
    const events = Object.entries(s?.events ?? {}).filter(([, n]) => n > 0);
    this.element.hidden = events.length === 0;
    this.note.hidden = !s?.eventsPartial;
    setText(this.note, t("eventsPartial"));
    const key = JSON.stringify(events);
    if (key === this.key) return;
    this.key = key;
    this.facts.replaceChildren(...events.flatMap(([name, n]) => [h("dt", { class: "mono" }, name), h("dd", {}, count(n))]));
  }
}

/** Machine is all cards. */
export class Machine {
  private readonly cards = { speed: new SpeedCard(), clock: new ClockCard(), alphaBeta: new AlphaBetaCard(), memory: new MemoryCard(), workers: new WorkersCard(), events: new EventsCard() };

  constructor(frame: HTMLElement) {
    frame.append(...Object.values(this.cards).map((c) => c.element));
  }

  draw(store: Store): void {
    const s = store.search;
    this.cards.speed.draw(s, store.speeds);
    this.cards.clock.draw(s);
    this.cards.alphaBeta.draw(s);
    this.cards.memory.draw(s, store.hash);
    this.cards.workers.draw(s);
    this.cards.events.draw(s);
  }
}
