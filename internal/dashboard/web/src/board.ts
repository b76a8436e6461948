// The shogi board, drawn as SVG. It shows a position with hands, the last move, arrows for candidates and figures on squares.
//
// Units: a square is 60 wide; the board's corner is at 0,0. White's hand stands above, Black's below; turning the board swaps them.

import { h, svg } from "./dom";
import { percent, rateColour } from "./format";
import { glyphs } from "./glyphs";
import { handOrder, isBlack, parseMove, pieceKanji, rankLabel, squareName, type Position, type Side } from "./shogi";

const cell = 60;
const side9 = 9 * cell;
const margin = 22; // for coordinates
const handHeight = 62;

/** Arrow is a candidate on the board. */
export interface Arrow {
  usi: string;
  share: number; // of the visits, 0..1: the width
  rate: number; // win rate, 0..1: the colour
  label: string;
}

/** Mark is a figure on a square, such as what a piece is worth. */
export interface Mark {
  square: number;
  text: string;
  colour: string;
  opacity: number;
  title: string;
}

/** View is all that a board shows. */
export interface View {
  position: Position;
  last?: string; // USI
  arrows?: Arrow[];
  marks?: Mark[];
  japanese: boolean;
}

// Widths of pieces: the lower the rank, the smaller.
const sizes: Record<string, number> = { P: 0.84, L: 0.88, N: 0.9, S: 0.94, G: 0.94, B: 0.98, R: 0.98, K: 1 };

/** Board is the element. */
export class Board {
  readonly element: HTMLElement;
  turned = false;
  private readonly root: SVGSVGElement;
  private readonly layers = { grid: svg("g"), under: svg("g"), pieces: svg("g"), arrows: svg("g"), hands: svg("g"), marks: svg("g") };
  private shown = ""; // what is drawn, to draw nothing twice
  private partKeys: Record<string, string> = {};

  constructor(private readonly onSquare: (name: string) => void = () => {}) {
    this.root = svg("svg", { class: "board", viewBox: `${-margin} ${-margin - handHeight} ${side9 + 2 * margin} ${side9 + 2 * margin + 2 * handHeight}`, role: "img" });
    this.root.append(definitions(), ...Object.values(this.layers));
    this.root.addEventListener("click", (e) => this.click(e));
    this.element = h("div", { class: "board-frame" }, this.root);
  }

  /** draw shows a view; label is what a screen reader says of it. */
  draw(view: View, label: string): void {
    const key = JSON.stringify([view, this.turned, label]);
    if (key === this.shown) return;
    this.shown = key;
    this.root.setAttribute("aria-label", label);
    this.part("grid", [this.turned, view.japanese], () => this.grid(view.japanese));
    this.part("under", [this.turned, view.last ?? "", view.marks ?? null], () => this.under(view));
    this.part("pieces", [this.turned, view.position.board], () => this.pieces(view.position));
    this.part("hands", [this.turned, view.position.hands, view.position.side], () => this.hands(view.position));
    this.part("arrows", [this.turned, view.arrows ?? null, view.position.side], () => (view.arrows ?? []).map((a) => this.arrow(a, view.position.side)));
    this.part("marks", [this.turned, view.marks ?? null], () => (view.marks ?? []).map((m) => this.mark(m)));
  }

  private part(name: keyof Board["layers"], state: unknown, make: () => Element[]): void {
    const key = JSON.stringify(state);
    if (this.partKeys[name] === key) return;
    this.partKeys[name] = key;
    this.layers[name].replaceChildren(...make());
  }

  private centre(n: number): [number, number] {
    const at = this.turned ? 80 - n : n;
    return [((at % 9) + 0.5) * cell, (Math.floor(at / 9) + 0.5) * cell];
  }

  private click(e: MouseEvent): void {
    const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(this.root.getScreenCTM()!.inverse());
    const column = Math.floor(p.x / cell), row = Math.floor(p.y / cell);
    if (column < 0 || column > 8 || row < 0 || row > 8) return;
    const n = row * 9 + column;
    this.onSquare(squareName(this.turned ? 80 - n : n));
  }

  private grid(japanese: boolean): Element[] {
    const parts: Element[] = [svg("rect", { class: "wood", x: 0, y: 0, width: side9, height: side9 })];
    let lines = "";
    for (let i = 1; i < 9; i++) lines += `M${i * cell} 0V${side9}M0 ${i * cell}H${side9}`;
    parts.push(svg("path", { class: "lines", d: lines }), svg("rect", { class: "frame", x: 0, y: 0, width: side9, height: side9 }));
    for (const x of [3, 6]) for (const y of [3, 6]) parts.push(svg("circle", { class: "star", cx: x * cell, cy: y * cell, r: 3.4 }));
    for (let i = 0; i < 9; i++) {
      const at = this.turned ? 8 - i : i;
      parts.push(svg("text", { class: "coordinate", x: (i + 0.5) * cell, y: -6 }, String(9 - at)));
      parts.push(svg("text", { class: "coordinate", x: side9 + 11, y: (i + 0.5) * cell + 5 }, rankLabel(at, japanese)));
    }
    return parts;
  }

  private under(view: View): Element[] {
    const parts: Element[] = [];
    const m = view.last ? parseMove(view.last) : null;
    const box = (n: number, cls: string) => {
      const [x, y] = this.centre(n);
      parts.push(svg("rect", { class: cls, x: x - cell / 2 + 1, y: y - cell / 2 + 1, width: cell - 2, height: cell - 2 }));
    };
    if (m && m.from >= 0) box(m.from, "last from");
    if (m) box(m.to, "last to");
    for (const k of view.marks ?? []) {
      const [x, y] = this.centre(k.square);
      parts.push(svg("rect", { x: x - cell / 2 + 1, y: y - cell / 2 + 1, width: cell - 2, height: cell - 2, fill: k.colour, "fill-opacity": k.opacity }));
    }
    return parts;
  }

  private pieces(p: Position): Element[] {
    const parts: Element[] = [];
    p.board.forEach((piece, n) => {
      if (piece) {
        const [x, y] = this.centre(n);
        parts.push(this.piece(piece, x, y, 1));
      }
    });
    return parts;
  }

  private piece(piece: string, x: number, y: number, scale: number): SVGElement {
    const letter = piece.replace("+", "").toUpperCase();
    const s = scale * (sizes[letter] ?? 1);
    const up = isBlack(piece) !== this.turned;
    const glyph = piece === "k" ? "k" : piece.toUpperCase();
    return svg("g", { class: piece.startsWith("+") ? "piece promoted" : "piece", transform: `translate(${x},${y}) rotate(${up ? 0 : 180}) scale(${s})` },
      svg("path", { class: "body", d: "M0-27.5L17.5-20.5L24 26.5H-24L-17.5-20.5Z" }),
      svg("path", { class: "glyph", transform: "translate(0,3.5) scale(.172)", d: glyphs[glyph] ?? "" }));
  }

  private hands(p: Position): Element[] {
    const parts: Element[] = [];
    for (const who of [0, 1] as Side[]) {
      const below = (who === 0) !== this.turned;
      const y = below ? side9 + margin + handHeight / 2 - 6 : -margin - handHeight / 2 + 2;
      parts.push(svg("rect", { class: "stand" + (p.side === who ? " to-move" : ""), x: 0, y: y - 28, width: side9, height: 56, rx: 8 }));
      parts.push(svg("text", { class: "who", x: 22, y: y + 9 }, who === 0 ? "☗" : "☖"));
      let x = 70;
      for (const letter of handOrder) {
        const n = p.hands[who][letter] ?? 0;
        if (!n) continue;
        const piece = this.piece(who === 0 ? letter : letter.toLowerCase(), x, y, 0.9);
        parts.push(piece);
        if (n > 1) parts.push(svg("text", { class: "number", x: x + 25, y: y + 19 }, String(n)));
        x += n > 1 ? 68 : 58;
      }
    }
    return parts;
  }

  // A move on the board is an arrow, a drop a ring with the piece's character.
  private arrow(a: Arrow, side: Side): Element {
    const m = parseMove(a.usi);
    if (!m) return svg("g");
    const colour = rateColour(a.rate);
    const [x, y] = this.centre(m.to);
    const title = svg("title", {}, `${a.usi} ${percent(a.share)} · ${percent(a.rate)}`);
    const opacity = 0.45 + 0.5 * Math.min(1, a.share * 1.6);
    if (m.drop) {
      const up = (side === 0) !== this.turned;
      return svg("g", { class: "arrow" }, title, svg("g", { opacity },
        svg("circle", { class: "halo", cx: x, cy: y, r: 25 }),
        svg("circle", { cx: x, cy: y, r: 25, fill: colour, "fill-opacity": 0.75, stroke: colour, "stroke-width": 2 }),
        svg("path", { class: "ghost", transform: `translate(${x},${y}) rotate(${up ? 0 : 180}) scale(.14)`, d: glyphs[m.drop] ?? "" })),
        this.label(a.label, x, y - 24), svg("desc", {}, pieceKanji(m.drop)));
    }
    const [x0, y0] = this.centre(m.from);
    const length = Math.hypot(x - x0, y - y0);
    const width = 5 + 15 * Math.sqrt(a.share);
    const head = Math.min(length * 0.6, width * 1.5 + 7);
    const wing = width / 2 + 6;
    const angle = (Math.atan2(y - y0, x - x0) * 180) / Math.PI;
    const end = length - 4, begin = 8;
    const d = `M${begin} ${-width / 2}H${end - head}V${-wing}L${end} 0L${end - head} ${wing}V${width / 2}H${begin}Z`;
    return svg("g", { class: "arrow" }, title,
      svg("path", { opacity, transform: `translate(${x0},${y0}) rotate(${angle})`, d, fill: colour, class: "shaft" }),
      this.label(a.label, (x0 + x) / 2, (y0 + y) / 2));
  }

  private label(text: string, x: number, y: number): SVGElement | null {
    if (!text) return null;
    const width = 9 * text.length + 10;
    return svg("g", { class: "tag" },
      svg("rect", { x: x - width / 2, y: y - 11, width, height: 22, rx: 11 }),
      svg("text", { x, y: y + 5.5 }, text));
  }

  private mark(m: Mark): Element {
    const [x, y] = this.centre(m.square);
    return svg("g", { class: "mark" }, svg("title", {}, m.title), svg("text", { x: x + 27, y: y + 26 }, m.text));
  }
}

// definitions holds the wood of pieces; its colours come from the style sheet.
function definitions(): SVGDefsElement {
  return svg("defs", {}, svg("linearGradient", { id: "piece-wood", x1: 0, y1: 0, x2: 0.3, y2: 1 },
    svg("stop", { offset: 0, class: "wood-light" }), svg("stop", { offset: 1, class: "wood-dark" })));
}
