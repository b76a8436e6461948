// The log with its filters. Level, kind and depth are the engine's to filter, so that a flood does not come over the wire; the text is
// looked for here.

import { h, setAttribute, setText } from "./dom";
import { count } from "./format";
import { currentLanguage, t } from "./i18n";
import type { LogLine } from "./messages";

const kinds = ["start", "end", "clock", "best", "select", "expand", "evaluate", "merge", "revisit", "repeat", "backup", "prove", "recycle",
  "iteration", "fail", "enter", "table", "window", "prune", "node"];

/** The most lines that the page shows at a time. */
const maxShown = 500;

/** Choice is what the filter's fields say. */
export interface Choice {
  level: "info" | "debug";
  kind: string; // "" is all
  text: string;
}

/** filterCommand is a choice in the engine's words. */
export function filterCommand(c: Choice): string {
  return [c.level === "debug" ? "debug" : "", c.kind ? "event " + c.kind : ""].filter(Boolean).join(" ");
}

/** matches reports whether a line is to be shown. A kind shows whatever its level is, as in the engine. */
export function matches(line: LogLine, c: Choice): boolean {
  if (c.kind ? line.kind !== c.kind : c.level === "info" && line.level === "debug") return false;
  return !c.text || (line.kind + " " + line.text).toLowerCase().includes(c.text.toLowerCase());
}

/** clockTime writes milliseconds since 1970 as a time of the day. */
export function clockTime(ms: number): string {
  const d = new Date(ms);
  const pad = (n: number, width = 2) => String(n).padStart(width, "0");
  return `${pad(d.getHours())}:${pad(d.getMinutes())}:${pad(d.getSeconds())}.${pad(d.getMilliseconds(), 3)}`;
}

/** LogView is the tab. */
export class LogView {
  private readonly list = h("ol", { class: "log", tabindex: 0 });
  private readonly level = h("select", { change: () => this.changed() });
  private readonly kind = h("select", { change: () => this.changed() });
  readonly text = h("input", { type: "search", spellcheck: "false", input: () => this.typed() });
  private readonly still = h("input", { type: "checkbox" });
  private readonly clear = h("button", { type: "button", click: () => this.wipe() });
  private readonly labels = { level: h("span"), kind: h("span"), text: h("span"), pause: h("span") };
  private readonly note = h("p", { class: "note" });
  private key = "";
  private last: LogLine | null = null; // the newest line that is shown

  constructor(panel: HTMLElement, private readonly listener: { filter: (words: string) => void; clear: () => void; redraw: () => void }) {
    this.level.append(h("option", { value: "info" }, "info"), h("option", { value: "debug" }, "debug"));
    this.kind.append(h("option", { value: "" }), ...kinds.map((k) => h("option", { value: k }, k)));
    panel.append(h("div", { class: "controls" },
      h("label", {}, this.labels.level, this.level), h("label", {}, this.labels.kind, this.kind), h("label", {}, this.labels.text, this.text),
      h("label", {}, this.still, this.labels.pause), this.clear), this.list, this.note);
  }

  /** choice is what the fields say now. */
  choice(): Choice {
    return { level: this.level.value as Choice["level"], kind: this.kind.value, text: this.text.value.trim() };
  }

  private changed(): void {
    this.listener.filter(filterCommand(this.choice()));
    this.typed();
  }

  private typed(): void {
    this.key = "";
    this.listener.redraw();
  }

  private wipe(): void {
    this.listener.clear();
    this.typed();
  }

  draw(lines: LogLine[], dropped: number): void {
    this.words();
    if (this.still.checked && this.key !== "") return;
    const newest = lines[lines.length - 1] ?? null;
    const key = `${lines.length} ${currentLanguage()}`;
    if (key === this.key && newest === this.last) return;
    const choice = this.choice();
    const shown = lines.filter((l) => matches(l, choice)).slice(-maxShown);
    const end = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40;
    this.list.replaceChildren(...shown.map((l) => row(l, choice.text)));
    if (shown.length === 0) this.list.append(h("li", { class: "empty" }, t(lines.length ? "noMatch" : "logEmpty")));
    if (end || this.key === "") this.list.scrollTop = this.list.scrollHeight;
    this.key = key;
    this.last = newest;
    setText(this.note, `${count(shown.length)} ${t("lines")}` + (dropped ? ` · ${count(dropped)} ${t("dropped")}` : ""));
  }

  private words(): void {
    setText(this.labels.level, t("level"));
    setText(this.labels.kind, t("kind"));
    setText(this.labels.text, t("text"));
    setText(this.labels.pause, t("pause"));
    setText(this.clear, t("clear"));
    setText(this.kind.options[0]!, t("all"));
    setAttribute(this.list, "aria-label", t("log"));
  }
}

function row(l: LogLine, find: string): HTMLElement {
  const text = h("span", { class: "text" });
  const at = find ? l.text.toLowerCase().indexOf(find.toLowerCase()) : -1;
  if (at < 0) text.append(l.text);
  else text.append(l.text.slice(0, at), h("mark", {}, l.text.slice(at, at + find.length)), l.text.slice(at + find.length));
  return h("li", {}, h("time", { class: "soft" }, clockTime(l.time)), h("span", { class: "kind " + l.level }, l.kind), text);
}
