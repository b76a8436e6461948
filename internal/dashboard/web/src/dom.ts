// Small helpers to make elements. Texts are always set as text, never as HTML.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((e: any) => void)>;

function fill(e: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") e.addEventListener(name, value as EventListener);
    else if (value === true) e.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) e.setAttribute(name, String(value));
  }
  for (const c of children) if (c !== null && c !== undefined && c !== false) e.append(typeof c === "object" ? c : String(c));
}

/** h makes an HTML element; functions among the attributes become listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  fill(e, attributes, children);
  return e;
}

/** svg makes an SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(e, attributes, children);
  return e;
}

/** setText changes a text only where it differs, so that the browser has nothing to lay out otherwise. */
export function setText(e: Element, text: string): void {
  if (e.textContent !== text) e.textContent = text;
}

/** setAttribute likewise; null takes the attribute away. */
export function setAttribute(e: Element, name: string, value: string | null): void {
  if (value === null) e.removeAttribute(name);
  else if (e.getAttribute(name) !== value) e.setAttribute(name, value);
}

/** byID returns an element that index.html is known to have. */
export function byID<T extends Element = HTMLElement>(id: string): T {
  const e = document.getElementById(id);
  if (!e) throw new Error(`no element #${id}`);
  return e as unknown as T;
}
