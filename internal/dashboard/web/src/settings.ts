// What the page remembers in the browser. A browser that forbids that forgets it.

export type Theme = "auto" | "light" | "dark";

/** load returns what was stored under a name, null for nothing. */
export function load(name: string): string | null {
  try {
    return localStorage.getItem("yomi." + name);
  } catch {
    return null;
  }
}

/** save stores a value. */
export function save(name: string, value: string): void {
  try {
    localStorage.setItem("yomi." + name, value);
  } catch {
    // the setting lasts as long as the page
  }
}

/** nextTheme is what the button makes of a theme: auto, then light, then dark. */
export function nextTheme(theme: Theme): Theme {
  return theme === "auto" ? "light" : theme === "light" ? "dark" : "auto";
}

/** applyTheme sets the page's colours. */
export function applyTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
