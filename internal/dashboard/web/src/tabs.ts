// The tabs below the board, as ARIA's pattern wants them: arrows walk, one is in the order of the Tab key.

import { byID, h, setAttribute } from "./dom";
import { currentLanguage, t, type Word } from "./i18n";

/** Tabs is the row; the panel of a tab has the id "panel-" + name. */
export class Tabs<Name extends Word & string> {
  current: Name;
  private readonly buttons = new Map<Name, HTMLButtonElement>();
  private key = "";

  constructor(row: HTMLElement, names: Name[], private readonly changed: () => void) {
    this.current = names[0]!;
    for (const name of names) {
      const b = h("button", { type: "button", role: "tab", id: "tab-" + name, "aria-controls": "panel-" + name, click: () => this.open(name, false) });
      this.buttons.set(name, b);
      row.append(b);
    }
    row.addEventListener("keydown", (e) => {
      const by = ({ ArrowLeft: -1, ArrowRight: 1 } as Record<string, number>)[e.key];
      if (!by) return;
      e.preventDefault();
      const i = (names.indexOf(this.current) + by + names.length) % names.length;
      this.open(names[i]!, true);
    });
    this.mark();
  }

  /** open shows a tab; focus puts the focus on it. */
  open(name: Name, focus: boolean): void {
    this.current = name;
    this.mark();
    if (focus) this.buttons.get(name)!.focus();
    this.changed();
  }

  private mark(): void {
    for (const [name, b] of this.buttons) {
      const here = name === this.current;
      setAttribute(b, "aria-selected", String(here));
      b.tabIndex = here ? 0 : -1;
      byID("panel-" + name).hidden = !here;
    }
  }

  /** draw writes the names, with a note behind some. */
  draw(notes: Partial<Record<string, string>>): void {
    const key = JSON.stringify([currentLanguage(), notes]);
    if (key === this.key) return;
    this.key = key;
    for (const [name, b] of this.buttons) {
      b.replaceChildren(t(name));
      if (notes[name]) b.append(h("span", { class: "count" }, notes[name]!));
    }
  }
}
