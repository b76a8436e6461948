// What keys do. Fields keep the keys that one types into them.

/** Actions is what the keyboard can ask of the page. */
export interface Actions {
  help(): void;
  turn(): void;
  theme(): void;
  language(): void;
  escape(target: HTMLElement): void;
  find(): void;
  step(what: "event" | "playout" | "continue"): void;
  tab(n: number): void;
  candidate(by: number): void;
  /** line goes along the line that is shown and reports whether there is one. */
  line(by: number): boolean;
  trace(what: "first" | "back" | "play" | "next" | "last" | "nextSearch" | "previousSearch"): void;
  isStopped(): boolean;
  isTrace(): boolean;
}

/** pressed does what a key stands for. */
export function pressed(e: KeyboardEvent, page: Actions): void {
  const target = e.target as HTMLElement;
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const typing = target.matches("input:not([type=checkbox]):not([type=range]), select, textarea");
  if (typing && e.key !== "Escape") return;
  const act = common(e.key, target, page) ?? arrows(e.key, target, page) ?? trace(e.key, target, page);
  if (!act) return;
  e.preventDefault();
  act();
}

function common(key: string, target: HTMLElement, page: Actions): (() => void) | undefined {
  if ("spc".includes(key) && !page.isStopped()) return undefined;
  return ({
    "?": () => page.help(), f: () => page.turn(), d: () => page.theme(), l: () => page.language(), Escape: () => page.escape(target), "/": () => page.find(),
    s: () => page.step("event"), p: () => page.step("playout"), c: () => page.step("continue"),
    "1": () => page.tab(0), "2": () => page.tab(1), "3": () => page.tab(2), "4": () => page.tab(3),
  } as Record<string, () => void>)[key];
}

// arrows belong to tabs and sliders where these have the focus, and scroll what scrolls.
function arrows(key: string, target: HTMLElement, page: Actions): (() => void) | undefined {
  if (target.matches("[role=tab], input[type=range]")) return undefined;
  if (key === "ArrowUp" || key === "ArrowDown") {
    if (target.closest(".log, .scroll, .tab-panel") && !target.closest("#candidates")) return undefined;
    return () => page.candidate(key === "ArrowDown" ? 1 : -1);
  }
  if (key !== "ArrowLeft" && key !== "ArrowRight") return undefined;
  return () => {
    if (!page.line(key === "ArrowRight" ? 1 : -1) && page.isTrace()) page.trace(key === "ArrowRight" ? "next" : "back");
  };
}

function trace(key: string, target: HTMLElement, page: Actions): (() => void) | undefined {
  if (!page.isTrace() || target.matches("[role=tab], input[type=range]") || (key === " " && target.matches("button"))) return undefined;
  return ({
    Home: () => page.trace("first"), End: () => page.trace("last"), " ": () => page.trace("play"),
    "[": () => page.trace("previousSearch"), "]": () => page.trace("nextSearch"),
  } as Record<string, () => void>)[key];
}
