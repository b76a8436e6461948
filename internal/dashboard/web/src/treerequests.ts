// When to ask for the tree: about once a second while it is looked at and may have changed, and soon after a step.

import type { Store } from "./store";

const period = 1000; // milliseconds between requests
const patience = 10000; // how long to wait for a tree before asking again: the engine gives them only a part of its time
const delay = 200; // milliseconds from a step to the request for its tree

/** TreeRequests asks for the tree. */
export class TreeRequests {
  private asked = -Infinity; // when the tree was asked for that has not come yet
  private key = ""; // what the last tree was asked for
  private timer = 0;
  private id = 0;

  constructor(private readonly store: Store, private readonly shown: () => boolean, private readonly request: () => void) {}

  /** start asks from time to time. */
  start(): void {
    setInterval(() => this.ask(), period);
  }

  /** next notes that a request goes out, and returns its number. */
  next(): number {
    this.asked = performance.now();
    return ++this.id;
  }

  /** answered notes that a tree, or a refusal, came. */
  answered(): void {
    this.asked = -Infinity;
  }

  /** again lets the next period ask whatever was asked for last. */
  again(): void {
    this.key = "";
  }

  /** soon asks in a moment. */
  soon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.ask(), delay);
  }

  /** ask requests the tree where it is looked at and may have changed. */
  ask(): void {
    const s = this.store.search;
    if (!this.store.online || !this.shown() || document.hidden || !s || s.state === "idle") return;
    if (performance.now() - this.asked < patience) return;
    const key = `${s.number} ${s.state} ${s.state === "thinking" ? s.seq : s.playouts} ${this.store.trace?.at} ${this.store.stopped?.playout} ${this.store.stopped?.text}`;
    if (key === this.key) return;
    this.key = key;
    this.request();
  }
}
