// The window with the keys.

import { h } from "./dom";
import { t, type Word } from "./i18n";

const keys: [string[], Word][] = [
  [["↑", "↓"], "keyCandidate"], [["←", "→"], "keyLine"], [["Esc"], "keyBack"], [["1", "2", "3", "4"], "keyTabs"], [["/"], "keyFilter"],
  [["f"], "turnBoard"], [["d"], "theme"], [["l"], "keyLanguage"], [["s", "p", "c"], "keyStep"], [["Home", "←", "space", "→", "End", "[", "]"], "keyTrace"],
  [["+", "−", "0"], "fit"], [["?"], "help"],
];

/** openHelp fills and opens the window. */
export function openHelp(dialog: HTMLDialogElement): void {
  dialog.replaceChildren(
    h("h2", { id: "help-title" }, t("keysTitle")),
    h("table", {}, h("tbody", {}, ...keys.map(([list, word]) => h("tr", {}, h("td", {}, ...list.flatMap((k) => [h("kbd", {}, k), " "])), h("td", {}, t(word).replace(/ \(.*\)$/, "")))))),
    h("p", { class: "foot" }, h("a", { href: "licences.txt", target: "_blank" }, t("licences")), h("button", { type: "button", class: "primary", autofocus: true, click: () => dialog.close() }, t("close"))));
  dialog.showModal();
}
