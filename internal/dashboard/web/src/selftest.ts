// Tests of the page's pure functions. The bundle of this file leaves its report in globalThis.selftest.

import { marks, points, samePosition, verdict } from "./breakdown";
import { around } from "./charts";
import { bytes, count, percent, proof, rateColour, score, seconds, short } from "./format";
import { initialLanguage, missing, setLanguage } from "./i18n";
import { filterCommand, matches } from "./log";
import type { Breakdown, LogLine, Search, Tree } from "./messages";
import { nextTheme } from "./settings";
import { refusalText, termName, untranslated } from "./terms";
import { follow, japaneseMove, parseMove, parseSFEN, play, square, squareName, startSFEN, toSFEN } from "./shogi";
import { maxCurves, maxLines, maxPoints, Series, Store } from "./store";
import { arrange, places, tags } from "./tree";

const failed: string[] = [];
let checks = 0;

function equal(got: unknown, want: unknown, what: string): void {
  checks++;
  const [g, w] = [JSON.stringify(got), JSON.stringify(want)];
  if (g !== w) failed.push(`${what}: got ${g}, want ${w}`);
}

function shogi(): void {
  const start = parseSFEN(startSFEN)!;
  const rich = "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124";
  for (const text of [startSFEN, rich]) equal(toSFEN(parseSFEN(text)!), text, "SFEN there and back");
  for (const bad of ["", "startpos", "9/9/9 b - 1", "9/9/9/9/9/9/9/9/8 b - 1"]) equal(parseSFEN(bad), null, `bad SFEN ${bad}`);
  for (let n = 0; n < 81; n += 8) equal(square(squareName(n)), n, "square there and back");
  equal(square("7g"), 56, "7g");
  equal(square("0a"), -1, "no square");
  equal(parseMove("7g7f")?.from, 56, "from");
  equal(parseMove("P*5e")?.drop, "P", "drop");
  equal(parseMove("resign"), null, "no move");
  equal(japaneseMove(start, "7g7f"), "☗７六歩(77)", "move");
  equal(japaneseMove(parseSFEN(rich)!, "P*9i"), "☖９九歩打", "drop in Japanese");
  const steps = follow(start, ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "9i1a"]);
  equal(steps.map((s) => s.japanese).slice(2), ["☗２二角成(88)", "☖２二銀(31)", "☗４五角打", "☖１一香(99)"], "line");
  equal(toSFEN(steps[4]!.after), "lnsgkg1nl/1r5s1/pppppp1pp/6p2/5B3/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 6", "captured pieces change sides");
  equal(play(start, "5e5d"), null, "nothing there");
  equal(play(start, "P*5e"), null, "nothing in hand");
}

function format(): void {
  equal(count(1234567), "1\u202f234\u202f567", "groups");
  equal([short(9999), short(10000), short(12_345_678)], ["9999", "10k", "12M"], "short");
  equal(percent(0.1234), "12.3%", "percent");
  equal([bytes(512), bytes(2048), bytes(3 << 20)], ["512 B", "2.0 KiB", "3.0 MiB"], "bytes");
  equal([seconds(1234), seconds(65_000)], ["1.23 s", "1:05"], "seconds");
  equal([score(120), score(-32001), score(31997), score(-31996)], ["+120", "−∞", "+M3", "−M4"], "scores");
  equal([proof(3), proof(-5), proof(0)], ["✓ 3", "✗ 4", ""], "proofs");
  equal([rateColour(0.5), rateColour(0), rateColour(1)], ["rgb(250,247,236)", "rgb(226,124,58)", "rgb(64,160,146)"], "colours");
  equal([points(-0.214), points(0.0004)], ["−21.4", "0.0"], "points");
  equal(around(0.5, 0.52), [0.46, 0.56], "range");
  equal([initialLanguage(null, ["fr", "ja-JP"]), initialLanguage(null, ["en", "ja"]), initialLanguage("ja", ["en"])], ["ja", "en", "ja"], "language");
  equal(missing(), [], "words in both languages");
  equal([nextTheme("auto"), nextTheme("light"), nextTheme("dark")], ["light", "dark", "auto"], "themes");
}

function log(): void {
  const line: LogLine = { time: 0, search: 1, level: "debug", kind: "select", ply: 0, text: "MAX SELECT 2g2f" };
  equal(matches(line, { level: "info", kind: "", text: "" }), false, "level");
  equal(matches(line, { level: "info", kind: "select", text: "" }), true, "a kind shows whatever its level");
  equal(matches(line, { level: "debug", kind: "prune", text: "" }), false, "kind");
  equal(matches(line, { level: "debug", kind: "", text: "2G2F" }), true, "text in any case");
  equal(filterCommand({ level: "debug", kind: "select", text: "x" }), "debug event select", "filter in the engine's words");
}

function store(): void {
  const s = new Store();
  const search = (elapsed: number, number = 1): Search => ({ type: "search", seq: 1, number, state: "thinking", engine: "uct", elapsed, playouts: 1, speed: 1, winRate: 0.5,
    candidates: [{ move: "7g7f", visits: 1, share: 1, q: 0.5, cp: 0 }] });
  for (let i = 1; i <= 20_000; i++) s.take(search(100 * i));
  equal(s.series.times.length <= maxPoints && s.series.times.length > maxPoints / 4, true, "curves are bounded");
  equal(s.series.rates.get("7g7f")!.length, s.series.times.length, "one rate a time");
  equal(s.series.times[s.series.times.length - 1], 2_000_000, "the latest point stays");
  equal(s.speeds.length <= 200, true, "speeds are bounded");
  s.take(search(100, 2));
  equal(s.series.times, [100], "a new search has new curves");
  for (let i = 0; i < 20; i++) s.take({ type: "log", lines: Array.from({ length: 1000 }, () => ({ time: i, search: 1, level: "info", kind: "best", ply: 0, text: "" })), dropped: 2 });
  equal([s.lines.length, s.lines[s.lines.length - 1]!.time, s.dropped], [maxLines, 19, 40], "the log is bounded");
  const late = new Series();
  late.add(1, new Map([["a", 0.1]]));
  late.add(2, new Map([["b", 0.2]]));
  equal([...late.rates], [["a", [0.1, null]], ["b", [null, 0.2]]], "moves that come and go have gaps");
  late.cut(2);
  equal([late.times, ...late.rates.values()], [[1], [0.1], [null]], "a trace that went back has no later points");
  const many = (order: string[]): Search => ({ ...search(1, 3), candidates: order.map((move) => ({ move, visits: 1, share: 1, q: 0.5, cp: 0 })) });
  s.take(many(["a", "b", "c", "d", "e", "f", "g", "h", "i"]));
  s.take(many(["i", "b", "c", "d", "e", "f", "g", "a", "h"]));
  equal([s.colours.get("i"), s.colours.get("a"), s.colours.has("h"), s.colours.size], [7, 0, false, maxCurves], "the best moves have the colours");
  s.take({ type: "stopped", stopped: true, kind: "select" });
  s.take({ type: "stopped", stopped: false });
  equal(s.stopped, null, "going on");
}

function graph(): void {
  const tree: Tree = { type: "tree", id: 1, engine: "uct", search: 1, root: startSFEN, nodes: [
    { ply: 0, n: 9, q: 0.5, more: 3, moreN: 4, edges: [{ move: "7g7f", to: 1, n: 5, q: 0.5 }, { move: "2g2f", to: 2, n: 3, q: 0.5 }, { move: "1g1f", to: -1, n: 1, q: 0.5 }] },
    { ply: 1, n: 5, q: 0.5, edges: [{ move: "3c3d", to: 3, n: 4, q: 0.5 }] },
    { ply: 1, n: 3, q: 0.5, skipped: 7, edges: [{ move: "8c8d", to: 3, n: 2, q: 0.5 }] },
    { ply: 2, n: 6, q: 0.5 },
  ] };
  const { root, joins } = arrange(tree);
  equal(root.children.map((c) => c.index), [1, 2], "moves that are drawn");
  equal(root.children[0]!.children[0]!.path, ["7g7f", "3c3d"], "paths");
  equal(joins.map((j) => [j.from, j.to]), [[2, 3]], "a merged node is drawn once");
  equal(places(root).map((p) => [p.item.index, p.column, p.row]), [[0, 0, 0], [1, 0, 1], [3, 0, 2], [2, 1, 1]], "the principal variation is straight");
  equal(tree.nodes!.map((n) => tags(n).map((b) => b.text)), [["+3 more (4)"], [], ["7 pruned"], []], "moves that are not drawn have boxes");
}

function occlusion(): void {
  const list = marks({ type: "breakdown", id: 1, kind: "occlusion", position: startSFEN, pieces: [{ square: "2h", piece: "R", change: -0.2 }, { square: "hand", piece: "P", change: 0.1 }] });
  equal(list.map((m) => [m.square, m.text]), [[square("2h"), "−20.0"]], "pieces on the board are painted");
  equal(samePosition(startSFEN, startSFEN.replace(" 1", " 9")), true, "move numbers do not matter");
}

function terms(): void {
  const refusal = 'bad breakpoint "ply x": bad ply "x": want a whole number from 0 to 10000';
  const b: Breakdown = { type: "breakdown", id: 1, kind: "conflict", position: startSFEN, a: "7g7f", b: "2g2f", basis: "policy", terms: [{ name: "exchange", product: 1, difference: -0.5 }] };
  equal([termName("exchange"), refusalText(refusal)], ["exchange", refusal], "the engine's own words in English");
  equal(verdict(b), "policy: 2g2f beats 7g7f most by exchange (0.50)", "a conflict in a sentence");
  setLanguage("ja");
  equal([termName("exchange"), termName("x"), refusalText(refusal), refusalText("x")], ["駒の取り合い", "x", '手数 "x" は 0〜10000 の整数にしてください', "x"], "in Japanese");
  equal(verdict(b), "方策：2g2f は 7g7f より「駒の取り合い」が最も勝る（0.50）", "a conflict in Japanese");
  setLanguage("en");
}

for (const run of [shogi, format, log, store, graph, occlusion, terms]) run();
(globalThis as unknown as { selftest: unknown }).selftest = { Checks: checks, Failed: failed, untranslated };
