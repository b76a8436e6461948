// What the page knows: the latest of each message, and histories that do not grow without bound.

import type { Breakdown, Breakpoints, Failure, Game, Hash, Hello, LogLine, Message, Search, Stopped, Trace, TraceSearch, Tree } from "./messages";

/** The number of candidates with a curve of their own. */
export const maxCurves = 8;

/** The most lines of the log and the most points of a curve that are kept. */
export const maxLines = 3000;
export const maxPoints = 600;
const maxSpeeds = 150;

/** Series are the candidates' win rates over the time of one search. */
export class Series {
  times: number[] = [];
  rates = new Map<string, (number | null)[]>();

  /** add appends a point; moves without a rate get null. */
  add(time: number, rates: Map<string, number>): void {
    const last = this.times[this.times.length - 1];
    if (last !== undefined && time <= last) return;
    for (const move of rates.keys()) if (!this.rates.has(move)) this.rates.set(move, this.times.map(() => null));
    this.times.push(time);
    for (const [move, list] of this.rates) list.push(rates.get(move) ?? null);
    if (this.times.length > maxPoints) this.thin();
  }

  /** cut drops the points from a time on, for a trace that went back. */
  cut(time: number): void {
    const n = this.times.findIndex((at) => at >= time);
    if (n < 0) return;
    this.times.length = n;
    for (const list of this.rates.values()) list.length = n;
  }

  // thin drops every second point, the last one never.
  private thin(): void {
    const keep = (_: unknown, i: number) => i % 2 === this.times.length % 2 || i === 0;
    const times = this.times.filter(keep);
    for (const [move, list] of this.rates) this.rates.set(move, list.filter(keep));
    this.times = times;
  }
}

/** Store is the page's state. */
export class Store {
  online = false;
  everOnline = false;
  ended = false; // the engine said good-bye
  hello: Hello | null = null;
  game: Game | null = null;
  search: Search | null = null;
  series = new Series();
  seriesOf = 0; // number of the search
  speeds: number[] = [];
  hash: Hash | null = null;
  lines: LogLine[] = [];
  dropped = 0;
  tree: Tree | null = null;
  breakpoints: Breakpoints = { type: "breakpoints", list: [] };
  stopped: Stopped | null = null;
  trace: Trace | null = null;
  searches: TraceSearch[] = [];
  breakdowns = new Map<string, Breakdown>();
  failure: Failure | null = null;
  colours = new Map<string, number>(); // of the curves, by move, for one search

  /** take changes the state by a message. */
  take(m: Message): void {
    switch (m.type) {
      case "hello":
        this.hello = m;
        this.game = m.game;
        break;
      case "game":
        this.game = m;
        break;
      case "search":
        this.takeSearch(m);
        break;
      case "curves":
        this.begin(m.number);
        this.series = new Series();
        this.series.times = (m.times ?? []).slice();
        for (const c of m.moves ?? []) this.series.rates.set(c.move, c.q.slice());
        break;
      case "hash":
        this.hash = m;
        break;
      case "log":
        this.lines.push(...(m.lines ?? []));
        if (this.lines.length > maxLines) this.lines.splice(0, this.lines.length - maxLines);
        this.dropped += m.dropped ?? 0;
        break;
      case "tree":
        this.tree = m;
        break;
      case "breakpoints":
        this.breakpoints = m;
        break;
      case "stopped":
        this.stopped = m.stopped ? m : null;
        break;
      case "trace":
        if (m.searches) this.searches = m.searches;
        this.trace = m;
        break;
      case "breakdown":
        this.breakdowns.set(m.kind, m);
        break;
      case "error":
        this.failure = m;
        break;
    }
  }

  private begin(number: number): void {
    if (number === this.seriesOf) return;
    this.seriesOf = number;
    this.series = new Series();
    this.colours.clear();
  }

  private takeSearch(m: Search): void {
    this.begin(m.number);
    const before = this.search;
    this.search = m;
    this.colour((m.candidates ?? []).slice(0, maxCurves).map((c) => c.move));
    if (this.hello?.mode === "trace") this.series.cut(m.elapsed);
    else if (m.state !== "thinking" && before?.state === m.state) return;
    this.series.add(m.elapsed, new Map((m.candidates ?? []).map((c) => [c.move, c.q])));
    if (m.state === "thinking") {
      this.speeds.push(m.speed);
      if (this.speeds.length > maxSpeeds) this.speeds.shift();
    }
  }

  // colour gives each of the best moves one of the colours. A move keeps its colour while it is among them, and until another one needs it.
  private colour(best: string[]): void {
    const used = new Set(best.map((move) => this.colours.get(move)));
    for (const move of best) {
      if (this.colours.has(move)) continue;
      let n = 0;
      while (used.has(n)) n++;
      used.add(n);
      for (const [other, colour] of this.colours) if (colour === n) this.colours.delete(other);
      this.colours.set(move, n);
    }
  }
}
