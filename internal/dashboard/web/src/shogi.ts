// Positions and moves as far as a viewer needs them: reading SFEN, playing moves out, writing moves as Japanese players do.
// Nothing here checks legality; the engine does.

/** Side is 0 for Black (sente), 1 for White (gote). */
export type Side = 0 | 1;

/** Position is a board with hands. Squares are numbered 0..80 as one reads a diagram: 9a, 8a … 1a, 9b …. */
export interface Position {
  board: string[]; // SFEN letters such as "P", "+p"; "" is empty
  hands: [Record<string, number>, Record<string, number>]; // by capital letter
  side: Side;
  ply: number;
}

/** Move is a USI move taken apart. */
export interface Move {
  usi: string;
  from: number; // -1 for a drop
  to: number;
  drop: string; // capital letter, "" for a move on the board
  promotes: boolean;
}

export const startSFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/** The order in which hands are shown, the strongest first. */
export const handOrder = ["R", "B", "G", "S", "N", "L", "P"];

const kanji: Record<string, string> = {
  P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉",
  "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍",
};
const ranks = "一二三四五六七八九";
const files = "１２３４５６７８９";

/** isBlack reports whether an SFEN letter is Black's. */
export function isBlack(piece: string): boolean {
  return piece !== piece.toLowerCase();
}

/** square returns the number of a square such as "7g", -1 for anything else. */
export function square(name: string): number {
  const file = name.charCodeAt(0) - 48;
  const rank = name.charCodeAt(1) - 97;
  if (name.length !== 2 || file < 1 || file > 9 || rank < 0 || rank > 8) return -1;
  return rank * 9 + (9 - file);
}

/** squareName is the inverse of square. */
export function squareName(n: number): string {
  return String(9 - (n % 9)) + String.fromCharCode(97 + Math.floor(n / 9));
}

/** parseSFEN reads "board side hands [ply]", null for anything else. */
export function parseSFEN(text: string): Position | null {
  const words = text.trim().split(/\s+/);
  if (words[0] === "sfen") words.shift();
  if (words.length < 3) return null;
  const board: string[] = [];
  const rows = words[0]!.split("/");
  if (rows.length !== 9) return null;
  for (const row of rows) {
    const begin = board.length;
    for (const token of row.match(/\+?[a-zA-Z]|[1-9]/g) ?? []) {
      if (token >= "1" && token <= "9") for (let i = 0; i < Number(token); i++) board.push("");
      else board.push(token);
    }
    if (board.length !== begin + 9) return null;
  }
  const hands: Position["hands"] = [{}, {}];
  if (words[2] !== "-") {
    for (const [, count, letter] of words[2]!.matchAll(/(\d*)([a-zA-Z])/g)) {
      const side = isBlack(letter!) ? 0 : 1;
      hands[side][letter!.toUpperCase()] = count ? Number(count) : 1;
    }
  }
  return { board, hands, side: words[1] === "w" ? 1 : 0, ply: Number(words[3] ?? 1) || 1 };
}

/** toSFEN is the inverse of parseSFEN. */
export function toSFEN(p: Position): string {
  const rows: string[] = [];
  for (let r = 0; r < 9; r++) rows.push(p.board.slice(9 * r, 9 * r + 9).map((c) => c || "1").join("").replace(/1+/g, (ones) => String(ones.length)));
  let hands = "";
  for (const side of [0, 1] as const) {
    for (const letter of handOrder) {
      const n = p.hands[side][letter] ?? 0;
      if (n) hands += (n > 1 ? n : "") + (side === 0 ? letter : letter.toLowerCase());
    }
  }
  return `${rows.join("/")} ${p.side === 0 ? "b" : "w"} ${hands || "-"} ${p.ply}`;
}

/** parseMove takes a USI move apart; null for resign, win and what is no move. */
export function parseMove(usi: string): Move | null {
  const drop = /^([PLNSGBR])\*([1-9][a-i])$/.exec(usi);
  if (drop) return { usi, from: -1, to: square(drop[2]!), drop: drop[1]!, promotes: false };
  const walk = /^([1-9][a-i])([1-9][a-i])(\+?)$/.exec(usi);
  if (!walk) return null;
  return { usi, from: square(walk[1]!), to: square(walk[2]!), drop: "", promotes: walk[3] === "+" };
}

/** play returns the position after a move; null when no such piece is there. */
export function play(p: Position, usi: string): Position | null {
  const m = parseMove(usi);
  if (!m) return null;
  const next: Position = { board: p.board.slice(), hands: [{ ...p.hands[0] }, { ...p.hands[1] }], side: p.side === 0 ? 1 : 0, ply: p.ply + 1 };
  const hand = next.hands[p.side];
  if (m.drop) {
    if (!hand[m.drop]) return null;
    hand[m.drop]! -= 1;
    next.board[m.to] = p.side === 0 ? m.drop : m.drop.toLowerCase();
    return next;
  }
  const piece = p.board[m.from];
  if (!piece) return null;
  const taken = p.board[m.to];
  if (taken) {
    const letter = taken.replace("+", "").toUpperCase();
    hand[letter] = (hand[letter] ?? 0) + 1;
  }
  next.board[m.from] = "";
  next.board[m.to] = m.promotes ? "+" + piece : piece;
  return next;
}

/** japaneseMove writes a move as in "☗７六歩(77)", or USI where the piece is not there. */
export function japaneseMove(p: Position, usi: string): string {
  if (usi === "resign") return "投了";
  if (usi === "win") return "入玉宣言";
  const m = parseMove(usi);
  if (!m) return usi;
  const place = (p.side === 0 ? "☗" : "☖") + files[8 - (m.to % 9)] + ranks[Math.floor(m.to / 9)];
  if (m.drop) return place + kanji[m.drop] + "打";
  const piece = p.board[m.from];
  if (!piece) return usi;
  const from = `(${9 - (m.from % 9)}${Math.floor(m.from / 9) + 1})`;
  return place + kanji[piece.toUpperCase()] + (m.promotes ? "成" : "") + from;
}

/** Step is a move of a line with the position that it leads to. */
export interface Step {
  usi: string;
  japanese: string;
  after: Position;
}

/** follow plays a line out and stops where a move does not fit. */
export function follow(start: Position, line: string[]): Step[] {
  const steps: Step[] = [];
  let p = start;
  for (const usi of line) {
    const after = play(p, usi);
    if (!after) break;
    steps.push({ usi, japanese: japaneseMove(p, usi), after });
    p = after;
  }
  return steps;
}

/** pieceKanji returns the character of an SFEN letter. */
export function pieceKanji(piece: string): string {
  return kanji[piece.toUpperCase()] ?? piece;
}

/** rankLabel is 一..九 or a..i for a row from 0. */
export function rankLabel(row: number, japanese: boolean): string {
  return japanese ? ranks[row]! : String.fromCharCode(97 + row);
}
