// Drawing at most ten times a second, and not at all while the page is hidden.

/** Frames says when to draw. */
export class Frames {
  private wanted = false;
  private latest = -Infinity;
  private timer = 0;

  /** interval is the least time between two drawings in milliseconds. */
  constructor(private readonly draw: () => void, private readonly interval = 100) {}

  /** request asks for a drawing soon; any number of requests make one. */
  request(): void {
    if (this.wanted) return;
    this.wanted = true;
    const wait = Math.max(0, this.latest + this.interval - performance.now());
    this.timer = window.setTimeout(() => requestAnimationFrame(() => this.run()), wait);
  }

  /** now draws at once, for what a person did. */
  now(): void {
    clearTimeout(this.timer);
    this.wanted = true;
    this.run();
  }

  private run(): void {
    if (!this.wanted) return;
    this.wanted = false;
    this.latest = performance.now();
    this.draw();
  }
}
