// The line that is played out on the board: a candidate's under the pointer, one that was chosen, or the way to where a search is stopped.

import { h, setAttribute, setText } from "./dom";
import { currentLanguage, t } from "./i18n";
import { follow, type Position, type Step } from "./shogi";

/** Line is a line with a place in it: at moves have been made. */
interface Line {
  start: Position;
  steps: Step[];
  at: number;
}

const pace = 550; // milliseconds a move

/** LineView is the strip of moves below the board, and the state of the line. */
export class LineView {
  private hovered: Line | null = null;
  private pinned: Line | null = null;
  private stopped: Line | null = null;
  private timer = 0;
  private key = "";
  /** chosen is the candidate whose line is pinned. */
  chosen: string | null = null;

  constructor(private readonly strip: HTMLElement, private readonly redraw: () => void) {}

  /** current is the line that the board shows, null for none. */
  current(): Line | null {
    return this.hovered ?? this.pinned ?? this.stopped;
  }

  /** hover plays a line out, move by move; at once where motion is unwelcome, or whole is set. Null ends that. */
  hover(start: Position | null, moves: string[] | null, whole = false): void {
    clearInterval(this.timer);
    this.hovered = null;
    if (start && moves?.length) {
      const steps = follow(start, moves);
      const still = whole || matchMedia("(prefers-reduced-motion: reduce)").matches;
      this.hovered = { start, steps, at: still ? steps.length : Math.min(1, steps.length) };
      if (!still) this.timer = window.setInterval(() => this.advance(), pace);
    }
    this.redraw();
  }

  private advance(): void {
    const l = this.hovered;
    if (!l || l.at >= l.steps.length) return clearInterval(this.timer);
    l.at++;
    this.redraw();
  }

  /** pin keeps a line; the same candidate again lets it go. */
  pin(start: Position, moves: string[], at: number, candidate: string | null): void {
    clearInterval(this.timer);
    this.hovered = null;
    if (candidate !== null && candidate === this.chosen) return this.release();
    this.chosen = candidate;
    const steps = follow(start, moves);
    this.pinned = { start, steps, at: Math.min(at, steps.length) };
    this.redraw();
  }

  /** release goes back to the position that is searched, and reports whether there was a line. */
  release(): void {
    clearInterval(this.timer);
    this.hovered = this.pinned = null;
    this.chosen = null;
    this.redraw();
  }

  /** hold shows the way to where the search is stopped; null when it is not. */
  hold(start: Position | null, moves: string[]): void {
    this.stopped = start && moves.length ? { start, steps: follow(start, moves), at: moves.length } : null;
    if (this.stopped) this.stopped.at = this.stopped.steps.length;
  }

  /** step goes along the line by some moves and reports whether there is one. */
  step(by: number): boolean {
    const l = this.hovered ?? this.pinned;
    if (!l) return false;
    clearInterval(this.timer);
    l.at = Math.max(0, Math.min(l.steps.length, l.at + by));
    this.redraw();
    return true;
  }

  private goTo(at: number): void {
    const l = this.current();
    if (!l) return;
    clearInterval(this.timer);
    this.pinned = { ...l, at };
    this.hovered = null;
    this.redraw();
  }

  draw(): void {
    const l = this.current();
    const key = JSON.stringify([l?.steps.map((s) => s.usi), l?.steps[0]?.japanese, currentLanguage()]);
    if (key !== this.key) {
      this.key = key;
      this.strip.replaceChildren();
      if (l) {
        this.strip.append(h("span", { class: "caption" }, t("line")), ...l.steps.map((s, i) =>
          h("button", { type: "button", title: s.usi, click: () => this.goTo(i + 1) }, currentLanguage() === "ja" ? s.japanese.replace(/\(.*/, "") : s.usi)),
        h("button", { type: "button", class: "release", click: () => this.release() }));
      }
    }
    if (!l) return;
    [...this.strip.querySelectorAll("button:not(.release)")].forEach((b, i) => setAttribute(b, "aria-current", i === l.at - 1 ? "true" : null));
    const back = this.strip.querySelector(".release")!;
    setText(back, "✕");
    setAttribute(back, "aria-label", t("back"));
    setAttribute(back, "title", t("back"));
  }
}
