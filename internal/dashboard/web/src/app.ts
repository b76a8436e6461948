// The page: it puts the parts together. Messages change the store; the store is drawn at most ten times a second.

import { Board, type Arrow } from "./board";
import { BreakdownView } from "./breakdown";
import { CandidateTable } from "./candidates";
import { GameChart, TickerChart, type Curve } from "./charts";
import { byID, setAttribute, setText } from "./dom";
import { count, percent, seconds } from "./format";
import { Frames } from "./frame";
import { openHelp } from "./help";
import { currentLanguage, initialLanguage, reasonText, setLanguage, t, translate, type Language, type Word } from "./i18n";
import { pressed, type Actions } from "./keys";
import { LineView } from "./line";
import { Link, socketAddress } from "./link";
import { LogView, filterCommand } from "./log";
import { Machine } from "./machine";
import { schemaVersion, type Game, type Message } from "./messages";
import { applyTheme, load, nextTheme, save, type Theme } from "./settings";
import { follow, japaneseMove, parseSFEN, startSFEN, toSFEN, type Position, type Step } from "./shogi";
import { StepView } from "./step";
import { maxCurves, Store } from "./store";
import { Tabs } from "./tabs";
import { Transport } from "./transport";
import { refusalText } from "./terms";
import { TreeView } from "./tree";
import { TreeRequests } from "./treerequests";

const tabNames = ["tree", "breakdown", "step", "log"] as const;
const failureTime = 8000; // how long a refusal is shown

/** Point is one of the game's graph. */
interface Point { ply: number; rate: number; move: string; took: number; search?: number | undefined }

class App {
  private readonly store = new Store();
  private readonly frames = new Frames(() => this.draw());
  private readonly link = new Link(socketAddress(location), { message: (m) => this.take(m), state: (online, ended) => this.online(online, ended) });
  private readonly send = (c: { type: string } & Record<string, unknown>) => this.link.send(c);
  private readonly redraw = () => this.frames.now();
  private readonly board = new Board((square) => this.squareClicked(square));
  private readonly line = new LineView(byID("line"), this.redraw);
  private readonly candidates = new CandidateTable(byID("candidates"), { hover: (m) => this.hover(m), choose: (m) => this.choose(m) });
  private readonly ticker = new TickerChart(byID("ticker"));
  private readonly gameChart = new GameChart(byID("game"), (i) => this.goTo(i));
  private readonly machine = new Machine(byID("machine"));
  private readonly tree = new TreeView(byID("panel-tree"), {
    hover: (path) => this.line.hover(this.treeRoot(), path, true),
    choose: (path) => this.pin(this.treeRoot(), path),
    request: (limits) => this.link.send({ type: "tree", id: this.treeRequests.next(), visits: 0, path: [], ...limits }),
  });
  private readonly treeRequests = new TreeRequests(this.store, () => this.tabs.current === "tree", () => this.tree.ask());
  private readonly breakdown = new BreakdownView(byID("panel-breakdown"), {
    request: (kind, a, b) => this.link.send({ type: "breakdown", id: ++this.breakdownID, kind, position: "", path: this.shownPath(), a, b }),
    redraw: this.redraw,
  });
  private readonly step = new StepView(byID("panel-step"), { send: this.send, path: (moves) => this.pin(this.root(), moves) });
  private readonly log = new LogView(byID("panel-log"), {
    filter: (filter) => this.link.send({ type: "filter", filter }), clear: () => (this.store.lines = []), redraw: this.redraw,
  });
  private readonly transport = new Transport(byID("transport"), this.send);
  private readonly tabs = new Tabs(byID("tabs"), [...tabNames], () => {
    this.treeRequests.ask();
    this.frames.now();
  });
  private theme: Theme = "auto";
  private breakdownID = 0;
  private treeRefusal = "";
  private failureTimer = 0;
  private past = -1; // move number of a position of the game that is shown instead of the root, -1 for none
  private played: { game: Game; start: Position; steps: Step[] } | null = null;

  start(): void {
    this.setTheme((load("theme") as Theme | null) ?? "auto");
    this.setLanguage(initialLanguage(load("language"), navigator.languages));
    byID("board").append(this.board.element);
    this.board.turned = load("turned") === "1";
    byID("turn").addEventListener("click", () => this.turn());
    byID("theme").addEventListener("click", () => this.setTheme(nextTheme(this.theme)));
    byID("language").addEventListener("click", () => this.setLanguage(currentLanguage() === "en" ? "ja" : "en"));
    byID("help-open").addEventListener("click", () => this.help());
    document.addEventListener("keydown", (e) => !byID<HTMLDialogElement>("help").open && pressed(e, this.keys));
    document.addEventListener("visibilitychange", () => this.frames.request());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setTheme(this.theme));
    this.treeRequests.start();
    this.link.open();
    this.frames.now();
  }

  // -- messages

  private take(m: Message): void {
    if (m.type === "tree" || (m.type === "error" && m.command === "tree")) this.treeRequests.answered();
    if (m.type === "tree" && m.search !== this.store.search?.number) return; // it came too late
    const root = this.store.game?.position;
    this.store.take(m);
    if (m.type === "hello" && m.schema !== schemaVersion) this.banner(t("wrongVersion"), "version");
    if (m.type === "error" && m.command === "tree") this.noTree(m.text);
    else if (m.type === "error") this.fail(m.text);
    if (m.type === "breakpoints" || m.type === "breakdown" || m.type === "stopped") this.endFailure();
    if (m.type === "breakdown" || (m.type === "error" && m.command === "breakdown")) this.breakdown.answered();
    if (m.type === "stopped") {
      this.line.hold(m.stopped && m.root && this.store.hello?.mode === "live" ? parseSFEN(m.root) : null, m.path ?? []);
      if (m.stopped && this.store.hello?.mode === "live") this.line.release();
    }
    if (this.store.game?.position !== root) {
      this.line.release();
      this.past = -1;
      this.store.tree = null;
      this.treeRefusal = "";
    }
    if (m.type === "trace" || m.type === "stopped") this.treeRequests.soon();
    this.frames.request();
  }

  private online(online: boolean, ended: boolean): void {
    this.store.online = online;
    this.store.ended = !online && (ended || this.store.ended); // and is not back yet
    if (online) {
      this.banner("");
      this.treeRequests.answered();
      const words = filterCommand(this.log.choice());
      if (words) this.link.send({ type: "filter", filter: words });
      this.treeRequests.again();
    } else if (this.store.everOnline) {
      this.banner(t(this.store.ended ? "ended" : "reconnecting"));
    }
    this.store.everOnline ||= online;
    this.frames.request();
  }

  private banner(text: string, kind = ""): void {
    const e = byID("banner");
    clearTimeout(this.failureTimer);
    e.hidden = text === "";
    e.dataset.kind = kind;
    setText(e, text);
  }

  private fail(text: string): void {
    this.banner(`${t("refused")}: ${refusalText(text)}`, "error");
    this.failureTimer = window.setTimeout(() => this.endFailure(), failureTime);
  }

  // endFailure takes a refusal away, after a while or when the next command was obeyed.
  private endFailure(): void {
    if (byID("banner").dataset.kind === "error") this.banner(this.store.online ? "" : t(this.store.ended ? "ended" : "reconnecting"));
  }

  // noTree notes why there is no tree now; the next period asks again.
  private noTree(text: string): void {
    this.treeRefusal = text;
    this.store.tree = null;
    this.treeRequests.again();
  }

  // -- what is shown

  private root(): Position | null {
    return parseSFEN(this.store.game?.position ?? "");
  }

  private treeRoot(): Position | null {
    return parseSFEN(this.store.tree?.root ?? "");
  }

  /** game is the game played out. */
  private game(): { start: Position; steps: Step[] } | null {
    const g = this.store.game;
    if (!g) return null;
    if (this.played?.game !== g) {
      const start = parseSFEN(g.start === "startpos" ? startSFEN : g.start);
      if (!start) return null;
      this.played = { game: g, start, steps: follow(start, g.moves ?? []) };
    }
    return this.played;
  }

  // before is the position of a move number, with the move that led to it.
  private before(ply: number): { position: Position; last: string | undefined } | null {
    const g = this.game();
    if (!g) return null;
    const n = ply - g.start.ply;
    if (n === 0) return { position: g.start, last: undefined };
    const step = g.steps[n - 1];
    return step ? { position: step.after, last: step.usi } : null;
  }

  private shownPath(): string[] {
    const l = this.line.current();
    return l ? l.steps.slice(0, l.at).map((s) => s.usi) : [];
  }

  private hover(move: string | null): void {
    this.line.hover(this.root(), move === null ? null : (this.store.search?.candidates?.find((c) => c.move === move)?.pv ?? [move]));
  }

  private choose(move: string): void {
    const root = this.root();
    if (root) this.line.pin(root, this.store.search?.candidates?.find((c) => c.move === move)?.pv ?? [move], 1, move);
  }

  private pin(start: Position | null, path: string[]): void {
    if (start && path.length) this.line.pin(start, path, path.length, null);
    else this.line.release();
  }

  private squareClicked(square: string): void {
    if (this.tabs.current === "step") this.step.offer(square);
  }

  // goTo shows a point of the game's graph: the trace goes there; a live page shows the position.
  private goTo(index: number): void {
    const point = this.points()[index];
    if (!point) return;
    if (this.store.hello?.mode === "trace") {
      if (point.search) this.link.send({ type: "seek", search: point.search, at: 0 });
      return;
    }
    this.line.release();
    this.past = point.ply === this.root()?.ply ? -1 : point.ply;
    this.frames.now();
  }

  // points are the game's, with the running search as the last one; win rates are Black's.
  private points(): Point[] {
    const list: Point[] = (this.store.game?.history ?? []).map((p) => ({ ply: p.ply, rate: p.winRate, move: p.move, took: p.took, search: p.search }));
    const s = this.store.search, root = this.root();
    if (s && root && s.candidates?.length && !list.some((p) => p.ply === root.ply)) {
      list.push({ ply: root.ply, rate: root.side === 0 ? s.winRate : 1 - s.winRate, move: s.candidates[0]!.move, took: s.elapsed });
    }
    return list.sort((a, b) => a.ply - b.ply);
  }

  // -- drawing

  private draw(): void {
    if (document.hidden) return;
    const s = this.store;
    this.drawHead();
    this.drawBoard();
    this.line.draw();
    this.candidates.draw(s.search, this.root(), s.colours, this.line.chosen);
    this.drawFigures();
    this.drawCharts();
    this.machine.draw(s);
    byID("transport").hidden = s.hello?.mode !== "trace";
    this.transport.draw(s);
    this.tabs.draw(s.stopped && s.hello?.mode === "live" ? { step: "!" } : {});
    const tab = this.tabs.current;
    if (tab === "tree") this.tree.draw(s.tree, refusalText(this.treeRefusal));
    if (tab === "breakdown") this.breakdown.draw(s);
    if (tab === "step") this.step.draw(s);
    if (tab === "log") this.log.draw(s.lines, s.dropped);
  }

  private drawHead(): void {
    const s = this.store;
    setText(byID("source"), s.hello ? [s.hello.version, s.search?.engine ?? s.hello.engine, t(s.hello.mode === "trace" ? "trace" : "live")].filter(Boolean).join(" · ") : "");
    const states: Record<string, [string, Word]> = { idle: ["idle", "idle"], done: ["idle", "idle"], thinking: ["searching", "searching"], stopped: ["stopped", "stopped"] };
    const [state, word]: [string, Word] = s.online ? (states[s.search?.state ?? "idle"] ?? ["idle", "idle"]) : ["offline", "offline"];
    const e = byID("status");
    setAttribute(e, "data-state", state);
    setText(e, t(s.hello?.mode === "trace" && s.online ? "trace" : word));
    document.title = (s.search?.candidates?.length ? percent(s.search.winRate, 0) + " " : "") + "yomi";
  }

  private drawBoard(): void {
    const s = this.store, japanese = currentLanguage() === "ja";
    const l = this.line.current(), root = this.root() ?? parseSFEN(startSFEN)!;
    let position = root, last = s.game?.moves?.[s.game.moves.length - 1], arrows: Arrow[] = [];
    const past = this.past >= 0 ? this.before(this.past) : null;
    if (l) {
      const step = l.steps[l.at - 1];
      position = step?.after ?? l.start;
      last = step?.usi ?? last;
    } else if (past) {
      ({ position, last } = past);
    } else {
      arrows = this.arrows();
    }
    const marks = this.tabs.current === "breakdown" ? this.breakdown.marks(s, toSFEN(position)) : [];
    if (marks.length) arrows = [];
    const side = t(position.side === 0 ? "black" : "white");
    const label = `${t("board")}: ${side} ${t("toMove")}, ${t("moveNumber")} ${position.ply}`;
    this.board.draw({ position, japanese, ...(last ? { last } : {}), arrows, marks }, label);
    this.drawBoardHead(position);
    const black = s.search?.candidates?.length ? (root.side === 0 ? s.search.winRate : 1 - s.search.winRate) : 0.5;
    const bar = byID("rate-bar");
    bar.classList.toggle("turned", this.board.turned);
    if (!bar.firstElementChild) bar.append(document.createElement("i"));
    (bar.firstElementChild as HTMLElement).style.height = percent(black);
    bar.title = `${t("black")} ${percent(black)}`;
  }

  private drawBoardHead(position: Position): void {
    const s = this.store, japanese = currentLanguage() === "ja";
    const head = byID("board-head");
    if (!head.firstElementChild) head.append(document.createElement("span"), document.createElement("span"));
    const side = t(position.side === 0 ? "black" : "white"), mark = position.side === 0 ? "☗" : "☖";
    setText(head.children[0]!, japanese ? `${mark} ${side}番　${position.ply}手目` : `${mark} ${side} to move, move ${position.ply}`);
    head.children[0]!.className = "turn";
    const root = this.root();
    let text = "";
    if (this.past >= 0 || this.line.current()) text = t("escBack");
    else if (s.search?.state === "done" && s.search.best && root) text = `${t("answer")}: ${japanese ? japaneseMove(root, s.search.best) : s.search.best} (${reasonText(s.search.reason ?? "")})`;
    setText(head.children[1]!, text);
    head.children[1]!.className = "soft";
  }

  private arrows(): Arrow[] {
    const list = (this.store.search?.candidates ?? []).filter((c, i) => i === 0 || c.share >= 0.02).slice(0, 6);
    return list.map((c, i) => ({ usi: c.move, share: Math.round(50 * c.share) / 50, rate: Math.round(200 * c.q) / 200, label: i < 3 ? percent(c.q, 0) : "" })).reverse();
  }

  private drawFigures(): void {
    const s = this.store.search;
    const unit = s?.engine === "alphabeta" ? "nodes" : "playouts";
    setText(byID("search-figures"), s && s.number ? `${count(s.playouts)} ${t(unit)} · ${seconds(s.elapsed)} · ${percent(s.winRate)} ${t("perspective")}` : "");
  }

  private drawCharts(): void {
    const s = this.store, japanese = currentLanguage() === "ja", root = this.root();
    const curves: Curve[] = [];
    for (const c of (s.search?.candidates ?? []).slice(0, maxCurves)) {
      const rates = s.series.rates.get(c.move), colour = s.colours.get(c.move);
      if (rates && colour !== undefined) curves.push({ name: japanese && root ? japaneseMove(root, c.move).replace(/\(.*/, "") : c.move, colour, rates });
    }
    const times = curves.length ? s.series.times.map((ms) => ms / 1000) : [];
    this.ticker.draw(times, curves, t("tickerEmpty"));
    setText(byID("ticker-note"), t("perspective"));
    const points = this.points();
    this.gameChart.current = this.past >= 0 ? this.past : (root?.ply ?? -1);
    this.gameChart.draw(points.map((p) => p.ply), points.map((p) => p.rate), points.map((p) => {
      const at = this.before(p.ply)?.position;
      return `${p.ply}: ${japanese && at ? japaneseMove(at, p.move) : p.move} ${percent(p.rate)} · ${seconds(p.took)}`;
    }), t("gameEmpty"));
    setText(byID("game-note"), `${t("perspectiveBlack")} · ${t("clickToGo")}`);
  }

  // -- settings and keys

  private setTheme(theme: Theme): void {
    this.theme = theme;
    save("theme", theme);
    applyTheme(theme);
    setText(byID("theme"), theme === "auto" ? "◐" : theme === "light" ? "☀" : "☾");
    this.ticker.rebuild();
    this.gameChart.rebuild();
    this.frames.now();
  }

  private setLanguage(l: Language): void {
    setLanguage(l);
    save("language", l);
    document.documentElement.lang = l;
    translate(document);
    const button = byID("language");
    setText(button, l === "en" ? "日本語" : "English");
    button.lang = l === "en" ? "ja" : "en";
    this.frames.now();
  }

  private turn(): void {
    this.board.turned = !this.board.turned;
    save("turned", this.board.turned ? "1" : "0");
    this.frames.now();
  }

  private help(): void {
    openHelp(byID<HTMLDialogElement>("help"));
  }

  // keys are what the keyboard can do; see keys.ts.
  private readonly keys: Actions = {
    help: () => this.help(), turn: () => this.turn(), theme: () => this.setTheme(nextTheme(this.theme)),
    language: () => this.setLanguage(currentLanguage() === "en" ? "ja" : "en"), escape: (target) => this.escape(target), find: () => this.find(),
    step: (what) => this.send(what === "continue" ? { type: "continue" } : { type: "step", what, count: 1 }),
    tab: (n) => this.tabs.open(tabNames[n]!, true), candidate: (by) => this.nextCandidate(by), line: (by) => this.line.step(by), trace: (what) => this.transport.act(what),
    isStopped: () => this.store.stopped !== null, isTrace: () => this.store.hello?.mode === "trace",
  };

  private escape(target: HTMLElement): void {
    if (target.matches("input")) target.blur();
    this.past = -1;
    this.line.release();
  }

  private find(): void {
    this.tabs.open("log", false);
    this.log.text.focus();
  }

  private nextCandidate(by: number): void {
    const buttons = [...byID("candidates").querySelectorAll<HTMLButtonElement>("td.move button")];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[at < 0 ? 0 : Math.max(0, Math.min(buttons.length - 1, at + by))]?.focus();
  }
}

new App().start();
