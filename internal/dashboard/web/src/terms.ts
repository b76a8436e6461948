// What the engine says in English words, in the page's language: names of terms, and why a command was refused.

import { currentLanguage } from "./i18n";

/** names are the terms of the evaluations, in Japanese. */
const names: Record<string, string> = {
  material: "駒割り", hand: "持駒", piece_square: "駒の位置", centre: "中央", king_zone: "玉の周辺", king_safety: "玉の安全度", threats: "脅威", mobility: "駒の働き",
  side_bonus: "手番",
  to: "移動先", from: "移動元", capture: "取る駒", exchange: "駒の取り合い", gives_check: "王手", target: "移動先の利き", source: "移動元の利き", enemy_king: "敵玉との距離",
  own_king: "自玉との距離", around: "周りの駒", attacks: "当たり", in_check: "王手されている", escape: "逃げ", contest: "争点", last: "直前の手",
  policy: "方策", features: "評価関数", value: "価値ネット",
};

/** termName is a term's name in the page's language. */
export function termName(name: string): string {
  return currentLanguage() === "ja" ? (names[name] ?? name) : name;
}

/** refusals are the engine's refusals as patterns, with their Japanese text; $1 and so on are what the engine names. */
const refusals: [RegExp, string][] = [
  [/^this needs the token/, "操作にはトークンが必要です。エンジンが表示した ?token= 付きの URL で開いてください。"],
  [/^wrong token$/, "トークンが違います"],
  [/^the search is not stopped$/, "探索は停止していません"],
  [/^no search is running$/, "探索は動いていません"],
  [/^there are (\d+) breakpoints/, "ブレークポイントは $1 個までです。先に削除してください"],
  [/^there is no breakpoint (\S+)$/, "ブレークポイント $1 はありません"],
  [/^there is no such event$/, "条件に合うイベントはありません"],
  [/^there is no tree yet/, "探索木はまだありません。αβ探索では次の深さから表示されます"],
  [/^the position after (\S+) is not in the part/, "$1 の後の局面は、読み込んだ探索木にありません"],
  [/^other requests come first/, "混み合っています。もう一度お試しください"],
  [/^the pages that are open have too many/, "開いているページのフィルターの種類が多すぎます"],
  [/^this page shows no trace$/, "このページは記録ファイルではありません"],
  [/^a trace cannot be stopped/, "記録ファイルは停止できません"],
  [/^bad place (\S+): want (\d+) to (\d+)$/, "位置 $1 は範囲外です（$2〜$3）"],
  [/^bad search (\S+): the trace has searches (\d+) to (\d+)$/, "探索 $1 はありません（$2〜$3）"],
  [/^(?:line ([AB]): )?illegal move (\S+)$/, "$2 は指せません"],
  [/^line ([AB]): it has no move$/, "$1 の手がありません"],
  [/bad (?:ply|depth) ("[^"]*"): want a whole number from (\d+) to (\d+)$/, "手数 $1 は $2〜$3 の整数にしてください"],
  [/bad depth ("[^"]*"): want the smaller/, "手数 $1 は小さい方を先に書いてください"],
  [/bad playout ("[^"]*")/, "プレイアウト番号 $1 は 0 以上の整数にしてください"],
  [/bad search ("[^"]*")/, "探索の番号 $1 は 1 以上の整数にしてください"],
  [/bad key ("[^"]*")/, "ハッシュキー $1 は 16 桁までの 16 進数にしてください"],
  [/bad jump ("[^"]*")/, "急変の幅 $1 は 0 より大きく、勝率なら 1 まで、評価値なら 64000 までにしてください"],
  [/bad move ("[^"]*")/, "指し手 $1 は 7g7f、4e3c+、P*3d のように書いてください"],
  [/bad square ("[^"]*")/, "マス $1 は 5e のように書いてください"],
  [/unknown event ("[^"]*")/, "イベント $1 はありません"],
  [/unknown node type ("[^"]*")/, "ノードの種類 $1 はありません（MAX、MIN、LEAF、TERMINAL）"],
  [/^bad breakpoint ("[^"]*")/, "ブレークポイント $1 は読めません"],
  [/^bad filter/, "フィルターが読めません"],
];

/** refusalText is a refusal in the page's language; what has no translation stays as the engine said it. */
export function refusalText(text: string): string {
  if (currentLanguage() !== "ja") return text;
  const found = refusals.find(([pattern]) => pattern.test(text));
  if (!found) return text;
  const parts = found[0].exec(text)!;
  return found[1].replace(/\$(\d)/g, (_, n: string) => parts[Number(n)] ?? "");
}

/** untranslated lists which of the names and refusals have no Japanese; for tests. */
export function untranslated(terms: string[], texts: string[]): string[] {
  return [...terms.filter((n) => !names[n]), ...texts.filter((text) => !refusals.some(([pattern]) => pattern.test(text)))];
}
