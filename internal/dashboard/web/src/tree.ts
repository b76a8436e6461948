// The tree: pieces as nodes, as in the engine's pictures, the principal variation straight down on the left. The page zooms and pans by
// the view box.

import { h, setAttribute, setText, svg } from "./dom";
import { percent, proof, rateColour, score, short } from "./format";
import { currentLanguage, t } from "./i18n";
import type { Tree, TreeEdge, TreeNode } from "./messages";
import { follow, parseSFEN, type Position } from "./shogi";

/** Item is a node of the drawing. */
interface Item {
  index: number; // in the message
  edge: TreeEdge | null; // that leads here
  path: string[]; // from the tree's root
  children: Item[];
}

/** Drawn is a node with its place. */
interface Drawn {
  item: Item;
  x: number;
  y: number;
  parent: Drawn | null;
}

const nodeWidth = 118;
const rowHeight = 108;
const black = "M-44 11L0 0L44 11V62H-44Z", white = "M-44 0H44V51L0 62L-44 51Z";

/** arrange makes a tree of the message's graph: a node hangs where it is met first, the first edges first. Other ways to it are joins. */
export function arrange(m: Tree): { root: Item; joins: { from: number; to: number; edge: TreeEdge }[] } {
  const nodes = m.nodes ?? [];
  const seen = new Set<number>([0]);
  const joins: { from: number; to: number; edge: TreeEdge }[] = [];
  const grow = (index: number, edge: TreeEdge | null, path: string[]): Item => {
    const n = nodes[index]!;
    const item: Item = { index, edge, path, children: [] };
    const own: TreeEdge[] = [];
    for (const e of n.edges ?? []) {
      if (e.to < 0 || e.to >= nodes.length) continue;
      if (seen.has(e.to)) {
        joins.push({ from: index, to: e.to, edge: e });
      } else {
        seen.add(e.to);
        own.push(e);
      }
    }
    for (const e of own) item.children.push(grow(e.to, e, [...path, e.move]));
    return item;
  };
  return { root: grow(0, null, []), joins };
}

/** tags are the boxes below a node, for moves that were pruned and moves that are not drawn. */
export function tags(n: TreeNode): { text: string; cut: boolean }[] {
  const list: { text: string; cut: boolean }[] = [];
  if (n.skipped) list.push({ text: `${short(n.skipped)} ${t("pruned")}`, cut: true });
  if (n.more) list.push({ text: `+${n.more} ${t("more")}` + (n.moreN ? ` (${short(n.moreN)})` : ""), cut: false });
  return list;
}

/** places gives each item a column and a row: the first child stands below its parent, the others to its right, as close as the rows below allow. */
export function places(item: Item): { item: Item; column: number; row: number; parent: number }[] {
  const list: { item: Item; column: number; row: number; parent: number }[] = [];
  // put returns the columns at both ends of each row of the subtree; shift moves it to the right.
  const put = (item: Item, row: number, parent: number): [number, number][] => {
    const own = list.push({ item, column: 0, row, parent }) - 1;
    const rows: [number, number][] = [];
    for (const child of item.children) {
      const from = list.length;
      const below = put(child, row + 1, own);
      const shift = below.reduce((s, [left], i) => (rows[i] ? Math.max(s, rows[i]![1] + 1 - left) : s), 0);
      for (const p of list.slice(from)) p.column += shift;
      below.forEach(([left, right], i) => (rows[i] = [rows[i]?.[0] ?? left + shift, right + shift]));
    }
    return [[0, 0], ...rows];
  };
  put(item, 0, -1);
  return list;
}

/** size is how large a node is: by the logarithm of its share of the root's visits. */
function size(n: TreeNode, root: TreeNode): number {
  return 0.72 + 0.4 * Math.min(1, Math.log(Math.max(1, n.n)) / Math.log(Math.max(2, root.n)));
}

/** What the tree tells about. */
export interface TreeListener {
  hover(path: string[] | null): void;
  choose(path: string[]): void;
  request(limits: { nodes: number; depth: number; width: number }): void;
}

/** TreeView is the tab. */
export class TreeView {
  private readonly picture = svg("svg", { role: "group", tabindex: 0 });
  private readonly empty = h("p", { class: "empty" });
  private readonly frame: HTMLElement;
  private readonly hold = h("input", { type: "checkbox", change: () => this.ask(true) });
  private readonly nodes = h("select", { change: () => this.ask(true) });
  private readonly depth = h("select", { change: () => this.ask(true) });
  private readonly width = h("select", { change: () => this.ask(true) });
  private readonly labels = { nodes: h("span"), depth: h("span"), width: h("span"), hold: h("span") };
  private readonly note = h("p", { class: "note" });
  private readonly tools: HTMLButtonElement[];
  private view = { x: 0, y: 0, width: 800, height: 400 };
  private whole = { x: 0, y: 0, width: 800, height: 400 };
  private moved = false; // a person chose the part to see
  private shown: Tree | null = null;
  private language = "";
  private drag: { x: number; y: number; id: number } | null = null;

  constructor(panel: HTMLElement, private readonly listener: TreeListener) {
    for (const n of [15, 30, 60, 120, 300]) this.nodes.append(h("option", { value: n, selected: n === 30 }, n));
    for (const [list, most] of [[this.depth, 12], [this.width, 8]] as const) {
      list.append(h("option", { value: 0 }, "∞"));
      for (let i = 1; i <= most; i++) list.append(h("option", { value: i, selected: i === (list === this.width ? 4 : 5) }, i));
    }
    const tool = (text: string, act: () => void) => h("button", { type: "button", class: "tool", click: act }, text);
    this.tools = [tool("+", () => this.zoom(0.8)), tool("−", () => this.zoom(1.25)), tool("⤢", () => this.fit())];
    this.frame = h("div", { class: "tree-frame" }, this.picture, h("div", { class: "tree-tools" }, ...this.tools), this.empty);
    panel.append(
      h("div", { class: "controls" }, ...([["nodes", this.nodes], ["depth", this.depth], ["width", this.width], ["hold", this.hold]] as const).map(([name, e]) =>
        name === "hold" ? h("label", {}, e, this.labels[name]) : h("label", {}, this.labels[name], e))),
      this.frame, this.note);
    this.listen();
  }

  /** ask requests the tree, unless it is held still. */
  ask(always = false): void {
    if (this.hold.checked && !always) return;
    this.listener.request({ nodes: Number(this.nodes.value), depth: Number(this.depth.value), width: Number(this.width.value) });
  }

  /** draw shows a tree, or says why there is none. */
  draw(m: Tree | null, why: string): void {
    const none = !m?.nodes?.length;
    this.empty.hidden = !none;
    setText(this.empty, why || t("treeEmpty"));
    if (this.language !== currentLanguage()) this.words();
    if (m === this.shown && this.language === currentLanguage()) return;
    this.language = currentLanguage();
    this.shown = m;
    if (none) this.picture.replaceChildren();
    else this.paint(m!);
  }

  private words(): void {
    setText(this.labels.nodes, t("nodesShown"));
    setText(this.labels.depth, t("plies"));
    setText(this.labels.width, t("width"));
    setText(this.labels.hold, t("freeze"));
    setText(this.note, t("treeLegend"));
    setAttribute(this.picture, "aria-label", t("tree"));
    (["zoomIn", "zoomOut", "fit"] as const).forEach((w, i) => {
      this.tools[i]!.title = t(w);
      setAttribute(this.tools[i]!, "aria-label", t(w));
    });
  }

  private paint(m: Tree): void {
    const { root, joins } = arrange(m);
    const drawn: Drawn[] = [];
    const nodes = new Map<number, Drawn>();
    for (const p of places(root)) {
      const d: Drawn = { item: p.item, x: p.column * nodeWidth, y: p.row * rowHeight, parent: drawn[p.parent] ?? null };
      drawn.push(d);
      nodes.set(d.item.index, d);
    }
    const focus = document.activeElement?.getAttribute("data-path");
    const main = new Set(m.principal ?? []);
    const links = svg("g"), boxes = svg("g");
    for (const d of drawn) if (d.parent) links.append(this.link(m, d, main));
    for (const j of joins) links.append(curve(nodes.get(j.from)!, nodes.get(j.to)!, "link join", 1 + 5 * Math.sqrt(j.edge.p ?? 0)));
    const start = parseSFEN(m.root);
    for (const d of drawn) boxes.append(...this.boxes(m, d), this.node(m, d, main.has(d.item.index), start));
    this.picture.replaceChildren(links, boxes);
    const xs = drawn.map((d) => d.x), ys = drawn.map((d) => d.y);
    const left = Math.min(...xs) - 62, right = Math.max(...xs) + 104;
    this.whole = { x: left, y: -14, width: right - left, height: Math.max(...ys) + 110 };
    if (!this.moved) this.fit();
    if (focus !== null && focus !== undefined) this.picture.querySelector<SVGElement>(`[data-path="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
  }

  private link(m: Tree, d: Drawn, main: Set<number>): SVGElement {
    const parent = d.parent!;
    const first = m.nodes![parent.item.index]!.edges?.[0] === d.item.edge;
    const isMain = first && main.has(d.item.index) && main.has(parent.item.index);
    return curve(parent, d, isMain ? "link main" : "link", m.engine === "alphabeta" ? (isMain ? 3 : 1.5) : 1 + 6 * Math.sqrt(d.item.edge?.p ?? 0));
  }

  // boxes stand beside the lines to a node's children, or below a node without any.
  private boxes(m: Tree, d: Drawn): SVGElement[] {
    const n = m.nodes![d.item.index]!;
    const left = d.item.children.length ? 4 : -37, top = d.y + 62 * size(n, m.nodes![0]!) + 3;
    return tags(n).map(({ text, cut }, i) => svg("g", { class: cut ? "more cut" : "more", transform: `translate(${d.x + left},${top + 17 * i})` },
      svg("rect", { width: 74, height: 15, rx: 4 }), svg("text", { x: 37, y: 11 }, text)));
  }

  private node(m: Tree, d: Drawn, main: boolean, start: Position | null): SVGElement {
    const n = m.nodes![d.item.index]!;
    const steps = start ? follow(start, d.item.path) : [];
    const position = steps.length === d.item.path.length ? (steps[steps.length - 1]?.after ?? start) : null;
    const last = steps[steps.length - 1];
    const move = d.item.edge ? (currentLanguage() === "ja" && last ? last.japanese.replace(/\(.*/, "") : d.item.edge.move) : t("root");
    const lines = [move, ...figures(m, n, d.item.edge)];
    const shape = position && position.side === 1 ? white : black;
    const alphaBeta = m.engine === "alphabeta";
    const border = !alphaBeta && typeof n.v === "number" ? rateColour(n.v) : "#55524a";
    const fill = alphaBeta ? (n.scored ? rateColour(1 / (1 + Math.exp(-(n.score ?? 0) / 600))) : "#f4f4f4") : rateColour(n.q);
    const s = size(n, m.nodes![0]!);
    const path = d.item.path;
    const label = lines.join(", ");
    return svg("g", {
      class: "node", transform: `translate(${d.x},${d.y})`, tabindex: -1, role: "button", "aria-label": label, "data-path": path.join(" "),
      mouseenter: () => this.listener.hover(path), mouseleave: () => this.listener.hover(null),
      focus: () => this.listener.hover(path), blur: () => this.listener.hover(null), click: () => this.listener.choose(path),
    }, svg("title", {}, label), svg("g", { transform: `scale(${s.toFixed(3)})` },
      svg("path", { class: "edge", d: shape, fill: "#44413a", "stroke-width": main ? 7 : 5, "stroke-linejoin": "round" }),
      svg("path", { d: shape, fill, stroke: border, "stroke-width": main ? 4.5 : 3.5, "stroke-linejoin": "round" }),
      ...lines.slice(0, 3).map((line, i) => svg("text", { class: i === 0 ? "title" : "", y: 23 + 14 * i }, line))));
  }

  // fit shows the whole tree, or as much from its root as can be read.
  private fit(): void {
    this.moved = false;
    const w = this.frame.clientWidth || 800, high = this.frame.clientHeight || 400;
    const scale = Math.min(Math.max(this.whole.width / w, this.whole.height / high, 0.85), 1.6);
    const spare = Math.max(0, w * scale - this.whole.width);
    this.view = { width: w * scale, height: high * scale, x: this.whole.x - spare / 2, y: this.whole.y };
    this.apply();
  }

  private apply(): void {
    const v = this.view;
    this.picture.setAttribute("viewBox", `${v.x} ${v.y} ${v.width} ${v.height}`);
  }

  private zoom(factor: number, at = { x: 0.5, y: 0.5 }): void {
    const v = this.view;
    const width = Math.min(Math.max(v.width * factor, 160), this.whole.width * 4 + 800);
    const f = width / v.width;
    this.view = { x: v.x + v.width * (1 - f) * at.x, y: v.y + v.height * (1 - f) * at.y, width, height: v.height * f };
    this.moved = true;
    this.apply();
  }

  private pan(dx: number, dy: number): void {
    this.view.x += dx * this.view.width;
    this.view.y += dy * this.view.height;
    this.moved = true;
    this.apply();
  }

  private listen(): void {
    const p = this.picture;
    new ResizeObserver(() => !this.moved && this.fit()).observe(this.frame);
    p.addEventListener("wheel", (e) => {
      e.preventDefault();
      const r = p.getBoundingClientRect();
      this.zoom(Math.exp(e.deltaY * 0.0015), { x: (e.clientX - r.left) / r.width, y: (e.clientY - r.top) / r.height });
    }, { passive: false });
    p.addEventListener("pointerdown", (e) => (this.drag = { x: e.clientX, y: e.clientY, id: e.pointerId }));
    p.addEventListener("pointermove", (e) => this.dragged(e));
    for (const end of ["pointerup", "pointercancel"] as const) {
      p.addEventListener(end, () => {
        this.drag = null;
        p.classList.remove("dragging");
      });
    }
    p.addEventListener("keydown", (e) => this.key(e));
  }

  private dragged(e: PointerEvent): void {
    if (!this.drag) return;
    const dx = e.clientX - this.drag.x, dy = e.clientY - this.drag.y;
    if (!this.picture.classList.contains("dragging")) {
      if (Math.hypot(dx, dy) < 4) return;
      this.picture.classList.add("dragging");
      this.picture.setPointerCapture(e.pointerId);
    }
    this.drag = { x: e.clientX, y: e.clientY, id: e.pointerId };
    this.pan(-dx / this.picture.clientWidth, -dy / this.picture.clientHeight);
  }

  // key: arrows walk from node to node where one has the focus, else they pan.
  private key(e: KeyboardEvent): void {
    const zooms: Record<string, () => void> = { "+": () => this.zoom(0.8), "=": () => this.zoom(0.8), "-": () => this.zoom(1.25), "0": () => this.fit() };
    const way = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as Record<string, [number, number]>)[e.key];
    const path = document.activeElement?.getAttribute("data-path");
    if (zooms[e.key]) zooms[e.key]!();
    else if (e.key === "Enter" && typeof path === "string") this.listener.choose(path ? path.split(" ") : []);
    else if (way && e.shiftKey) this.pan(way[0] * 0.15, way[1] * 0.15);
    else if (way) this.walk(path ?? null, way);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  private walk(path: string | null, [dx, dy]: [number, number]): void {
    const all = [...this.picture.querySelectorAll<SVGElement>(".node")];
    const paths = all.map((n) => n.getAttribute("data-path")!);
    const depth = (s: string) => (s ? s.split(" ").length : 0);
    let to = path === null ? 0 : paths.indexOf(path);
    if (path !== null && dy > 0) to = paths.findIndex((s) => s !== path && (path === "" ? depth(s) === 1 : s.startsWith(path + " ")));
    if (path !== null && dy < 0) to = paths.indexOf(path.split(" ").slice(0, -1).join(" "));
    if (path !== null && dx) {
      const row = paths.filter((s) => depth(s) === depth(path));
      to = paths.indexOf(row[row.indexOf(path) + dx] ?? path);
    }
    all[to]?.focus({ preventScroll: true });
  }
}

/** figures are the lines in a node below its move. */
function figures(m: Tree, n: TreeNode, edge: TreeEdge | null): string[] {
  if (m.engine === "alphabeta") {
    if (!n.scored) return ["…"];
    return [score(n.score ?? 0) + (n.table ? " " + t("table") : ""), `α ${score(n.alpha ?? 0)} β ${score(n.beta ?? 0)}`, `N ${short(n.n)}`];
  }
  const rate = n.proof ? proof(n.ply % 2 ? flip(n.proof) : n.proof) : percent(n.q);
  return ["N " + short(n.n), rate + (edge?.p ? ` P ${Math.round(100 * edge.p)}%` : ""), ...(typeof n.v === "number" ? [`${t("net")} ${percent(n.v)}`] : [])];
}

/** flip turns a proof round for the other side: a win in n plies is its loss in n. */
function flip(n: number): number {
  return -n - 1;
}

function curve(from: { x: number; y: number }, to: { x: number; y: number }, cls: string, width: number): SVGElement {
  const y0 = from.y + 58, y1 = to.y + 4, bend = (y1 - y0) * 0.5;
  return svg("path", { class: cls, "stroke-width": width.toFixed(1), d: `M${from.x} ${y0}C${from.x} ${y0 + bend} ${to.x} ${y1 - bend} ${to.x} ${y1}` });
}
