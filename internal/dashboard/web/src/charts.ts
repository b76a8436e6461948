// The two curves: win rates of the candidates over the time of a search, and of the game over its moves.

import uPlot from "../vendor/uplot/uPlot.esm.js";
import { h, setText } from "./dom";
import { percent } from "./format";
import { maxCurves } from "./store";

/** Colours of candidates that colour-blind people can tell apart (after Okabe and Ito), for light and dark ground; each has its own dashes. */
const light = ["#0072b2", "#d55e00", "#009e73", "#b0479a", "#8a6d00", "#4a8fd0", "#6a3d9a", "#5b646e"];
const dark = ["#4fb3f0", "#ff9248", "#3fd0a4", "#e58ac4", "#e0c040", "#9ccbf5", "#b79af0", "#a8b3be"];
const dashes = [[], [], [], [], [6, 3], [6, 3], [2, 3], [2, 3]];

/** isDark reports whether the page is dark now. */
export function isDark(): boolean {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** curveColour is the colour of the n-th candidate. */
export function curveColour(n: number): string {
  return (isDark() ? dark : light)[n % maxCurves]!;
}

function variable(name: string): string {
  // A custom property with light-dark() must go through a real property to become a colour.
  const probe = document.createElement("i");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

function axes(x: (v: number) => string): uPlot.Axis[] {
  const stroke = variable("--soft"), grid = { stroke: variable("--line"), width: 1 };
  const font = "11px system-ui, sans-serif";
  return [
    { stroke, grid, ticks: { show: false }, font, size: 26, values: (_, ticks) => ticks.map(x) },
    { stroke, grid, ticks: { show: false }, font, size: 42, values: (_, ticks) => ticks.map((v) => Math.round(100 * v) + "%") },
  ];
}

/** Chart is a uPlot that fits its frame, follows the theme, and has a tip at the pointer. */
abstract class Chart {
  protected plot: uPlot | null = null;
  protected readonly tip = h("div", { class: "tip", hidden: true });
  private readonly empty = h("p", { class: "empty" });
  private size = { width: 0, height: 0 };

  constructor(protected readonly frame: HTMLElement) {
    frame.append(this.empty, this.tip);
    new ResizeObserver(() => this.resize()).observe(frame);
  }

  protected abstract options(): Omit<uPlot.Options, "width" | "height">;

  private resize(): void {
    const width = Math.floor(this.frame.clientWidth), height = Math.floor(this.frame.clientHeight);
    if (width === this.size.width && height === this.size.height) return;
    this.size = { width, height };
    this.plot?.setSize(this.size);
  }

  /** rebuild makes the plot anew: other series or another theme. */
  rebuild(): void {
    this.plot?.destroy();
    this.plot = null;
  }

  /** show gives the plot its data; without points it says text. */
  protected show(data: uPlot.AlignedData, text: string): void {
    const none = data[0].length === 0;
    this.empty.hidden = !none;
    setText(this.empty, text);
    if (none) {
      this.rebuild();
      this.tip.hidden = true;
      return;
    }
    if (!this.plot) {
      this.resize();
      this.plot = new uPlot({ ...this.options(), ...this.size }, data, this.frame);
    } else {
      this.plot.setData(data);
    }
  }

  protected placeTip(u: uPlot, text: string | null): void {
    this.tip.hidden = text === null;
    if (text === null) return;
    setText(this.tip, text);
    const left = (u.cursor.left ?? 0) + u.over.offsetLeft, top = u.over.offsetTop + 6;
    const width = this.tip.offsetWidth;
    this.tip.style.left = `${left + width + 14 > this.size.width ? left - width - 10 : left + 12}px`;
    this.tip.style.top = `${top}px`;
  }
}

/** around returns a range of rates a little wider than the data, at least ten points of a percent. */
export function around(low: number, high: number): [number, number] {
  if (!(low <= high)) return [0, 1];
  const middle = (low + high) / 2, half = Math.max((high - low) * 0.6, 0.05);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** Curve is one candidate's. */
export interface Curve {
  name: string;
  colour: number; // number of its colour
  rates: (number | null)[];
}

/** TickerChart has a live curve for every candidate. */
export class TickerChart extends Chart {
  private curves: Curve[] = [];
  private key = "";

  draw(times: number[], curves: Curve[], empty: string): void {
    const key = JSON.stringify(curves.map((c) => [c.name, c.colour]));
    if (key !== this.key) this.rebuild();
    this.key = key;
    this.curves = curves;
    this.show([times, ...curves.map((c) => c.rates)], empty);
  }

  protected options(): Omit<uPlot.Options, "width" | "height"> {
    return {
      legend: { show: false },
      scales: { x: { time: false }, y: { range: (_, low, high) => around(low, high) } },
      axes: axes((v) => v + " s"),
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      series: [{}, ...this.curves.map((c, i): uPlot.Series => ({
        label: c.name, stroke: curveColour(c.colour), width: i === 0 ? 2.6 : 1.7, dash: dashes[c.colour % maxCurves]!, points: { show: (u) => u.data[0].length < 3 }, spanGaps: true,
      }))],
      hooks: { setCursor: [(u) => {
        const i = u.cursor.idx;
        if (i === null || i === undefined) return this.placeTip(u, null);
        const parts = this.curves.filter((c) => typeof c.rates[i] === "number").map((c) => `${c.name} ${percent(c.rates[i]!)}`);
        this.placeTip(u, parts.slice(0, 5).join(" · "));
      }] },
    };
  }
}

/** GameChart has Black's win rate after each move; a click chooses a move. */
export class GameChart extends Chart {
  private moves: string[] = [];
  private plies: number[] = [];
  current = -1; // the ply marked by a line

  constructor(frame: HTMLElement, private readonly choose: (index: number) => void) {
    super(frame);
  }

  draw(plies: number[], rates: number[], moves: string[], empty: string): void {
    this.moves = moves;
    this.plies = plies;
    this.show([plies, rates], empty);
  }

  protected options(): Omit<uPlot.Options, "width" | "height"> {
    const black = variable("--black-side"), white = variable("--white-side"), soft = variable("--soft");
    return {
      legend: { show: false },
      scales: { x: { time: false, range: (_, low, high) => [low, Math.max(high, low + 10)] }, y: { range: [0, 1] } },
      axes: axes((v) => (Number.isInteger(v) ? String(v) : "")),
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
      series: [{}, { stroke: variable("--ink"), width: 1.8, points: { show: true, size: 5, fill: variable("--panel") }, spanGaps: true }],
      hooks: {
        drawAxes: [(u) => this.ground(u, black, white, soft)],
        ready: [(u) => u.over.addEventListener("click", () => typeof u.cursor.idx === "number" && this.choose(u.cursor.idx))],
        setCursor: [(u) => this.placeTip(u, typeof u.cursor.idx === "number" ? this.moves[u.cursor.idx] ?? null : null)],
      },
    };
  }

  // ground fills between the curve and the middle in the colour of the side that is ahead, and marks the current move.
  private ground(u: uPlot, black: string, white: string, soft: string): void {
    const ctx = u.ctx, box = u.bbox, rates = u.data[1] as number[];
    const middle = u.valToPos(0.5, "y", true);
    ctx.save();
    for (const [colour, top] of [[black, true], [white, false]] as const) {
      ctx.save();
      ctx.beginPath();
      ctx.rect(box.left, top ? box.top : middle, box.width, top ? middle - box.top : box.top + box.height - middle);
      ctx.clip();
      ctx.beginPath();
      this.plies.forEach((p, i) => ctx.lineTo(u.valToPos(p, "x", true), u.valToPos(rates[i]!, "y", true)));
      ctx.lineTo(u.valToPos(this.plies[this.plies.length - 1]!, "x", true), middle);
      ctx.lineTo(u.valToPos(this.plies[0]!, "x", true), middle);
      ctx.fillStyle = colour;
      ctx.globalAlpha = 0.3;
      ctx.fill();
      ctx.restore();
    }
    ctx.strokeStyle = soft;
    ctx.setLineDash([4, 3]);
    ctx.beginPath();
    ctx.moveTo(box.left, middle);
    ctx.lineTo(box.left + box.width, middle);
    ctx.stroke();
    if (this.current >= 0) {
      const x = u.valToPos(this.current, "x", true);
      ctx.setLineDash([]);
      ctx.beginPath();
      ctx.moveTo(x, box.top);
      ctx.lineTo(x, box.top + box.height);
      ctx.stroke();
    }
    ctx.restore();
  }
}
