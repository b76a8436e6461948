// Every word on the page in English and Japanese.

export type Language = "en" | "ja";

const words = {
  skip: ["Skip to the board", "盤面へ移動"],
  tools: ["View", "表示"],
  board: ["Board", "盤面"],
  turnBoard: ["Turn the board (f)", "盤面反転 (f)"],
  theme: ["Light or dark (d)", "明暗切替 (d)"],
  help: ["Help and keys (?)", "ヘルプとキー操作 (?)"],
  close: ["Close", "閉じる"],
  licences: ["Licences", "ライセンス"],
  candidates: ["Candidates", "候補手"],
  ticker: ["Win rate of each candidate", "候補手ごとの勝率推移"],
  game: ["Win rate over the game", "対局の勝率グラフ"],
  machine: ["Search and machine", "探索とマシン"],
  details: ["Details", "詳細"],
  transport: ["Trace", "記録の再生"],

  waiting: ["Waiting for a search", "探索を待っています"],
  waitingHint: ["It begins as soon as the engine is told to think.", "エンジンが思考を始めると表示されます。"],
  idle: ["idle", "待機中"],
  searching: ["thinking", "思考中"],
  stopped: ["stopped at a breakpoint", "ブレークポイントで停止中"],
  offline: ["no connection", "未接続"],
  reconnecting: ["The engine is not answering. Trying again…", "エンジンに接続できません。再接続しています…"],
  ended: ["The engine has ended, or its dashboard is switched off. This page comes back with it.", "エンジンが終了したか、ダッシュボードが無効になりました。再開すると自動で接続します。"],
  live: ["live", "ライブ"],
  trace: ["trace file", "記録ファイル"],
  readOnly: ["This page may only look. Open it with the token that the engine printed to control the search.", "閲覧専用です。操作するにはエンジンが表示したトークン付きの URL で開いてください。"],

  black: ["Black", "先手"],
  white: ["White", "後手"],
  toMove: ["to move", "番"],
  moveNumber: ["move", "手目"],
  line: ["Line", "読み筋"],
  escBack: ["Esc: back", "Esc：戻る"],
  back: ["Back to the position", "局面に戻る"],

  move: ["Move", "指し手"],
  visits: ["Visits", "訪問数"],
  share: ["Share", "割合"],
  winRate: ["Win rate", "勝率"],
  prior: ["Prior", "事前確率"],
  pvColumn: ["Line", "読み筋"],
  score: ["score", "評価値"],
  moreMoves: ["more moves", "手（他）"],
  perspective: ["for the side to move", "手番側から見た値"],
  perspectiveBlack: ["for Black", "先手から見た値"],

  playouts: ["playouts", "プレイアウト"],
  nodes: ["nodes", "ノード"],
  perSecond: ["a second", "毎秒"],
  time: ["time", "時間"],
  depth: ["depth", "深さ"],
  speed: ["Speed", "速度"],
  clock: ["Clock", "時間配分"],
  used: ["used", "消費"],
  plan: ["planned", "予定"],
  hard: ["at most", "上限"],
  decisions: ["Decisions", "判断"],
  noClock: ["no clock in this search", "この探索に時計はありません"],
  hash: ["Hash", "ハッシュ"],
  occupancy: ["occupied", "使用率"],
  slots: ["slots", "スロット"],
  probes: ["Length of a probe", "プローブ長"],
  longest: ["longest", "最長"],
  average: ["mean", "平均"],
  cells: ["cells", "セル"],
  recycled: ["forgotten", "回収ノード"],
  recyclings: ["recyclings", "回収回数"],
  inUse: ["in use", "使用中"],
  hashResting: ["The table is too large to be read while the engine thinks; probes and move numbers are those from before this search.",
    "表が大きいため思考中は読みません。プローブ長と手数別の数はこの探索の前のものです。"],
  workers: ["Workers", "ワーカー"],
  alphaBeta: ["Alpha-beta", "αβ探索"],
  currentMove: ["looks at", "探索中の手"],
  window: ["window", "窓"],
  cuts: ["cut-offs", "枝刈り"],
  bestLine: ["best line", "最善手順"],
  reason: ["reason", "理由"],
  answer: ["answer", "結果"],

  tree: ["Tree", "探索木"],
  breakdown: ["Breakdown", "評価の内訳"],
  step: ["Breakpoints", "ブレークポイント"],
  log: ["Log", "ログ"],

  treeEmpty: ["No tree yet", "探索木はまだありません"],
  zoomIn: ["Closer (+)", "拡大 (+)"],
  zoomOut: ["Farther (−)", "縮小 (−)"],
  fit: ["Whole tree (0)", "全体表示 (0)"],
  freeze: ["Hold still", "固定"],
  plies: ["Plies", "手数"],
  width: ["Moves a node", "分岐数"],
  nodesShown: ["Nodes", "ノード数"],
  treeLegend: [
    "Size: visits. Fill: win rate. Border: value of the net. Line: prior. Points up: Black to move. Left: principal variation. Dotted: another way to the same node. Dashed grey: pruned.",
    "大きさ：訪問数　塗り：勝率　枠：価値ネット　線の太さ：事前確率　上向き：先手番　左端：読み筋　点線：合流　灰色破線：枝刈り",
  ],
  pruned: ["pruned", "枝刈り"],
  more: ["more", "他"],
  root: ["root", "根"],
  table: ["table", "表"],
  net: ["net", "ネット"],

  level: ["Level", "レベル"],
  kind: ["Kind", "種類"],
  all: ["all", "すべて"],
  text: ["Text", "文字列"],
  pause: ["Pause", "一時停止"],
  clear: ["Clear", "消去"],
  logEmpty: ["Nothing logged yet", "ログはまだありません"],
  noMatch: ["No line matches the filter", "条件に合う行がありません"],
  lines: ["lines", "行"],

  breakpoints: ["Breakpoints", "ブレークポイント"],
  addBreakpoint: ["Add", "追加"],
  remove: ["Remove", "削除"],
  stopOn: ["Stop on", "停止条件"],
  value: ["Value", "値"],
  noBreakpoints: ["No breakpoints. Choose a condition, or click a square of the board.", "ブレークポイントはありません。条件を選ぶか、盤のマスを押してください。"],
  attach: ["Stop now", "今すぐ停止"],
  stepOne: ["Step (s)", "1イベント (s)"],
  stepPlayout: ["Next playout (p)", "次のプレイアウト (p)"],
  goOn: ["Continue (c)", "続行 (c)"],
  running: ["The search is not stopped.", "探索は停止していません。"],
  stoppedAt: ["Stopped at", "停止位置"],
  path: ["Path", "経路"],
  formula: ["Choice", "選択式"],
  breakMove: ["move", "指し手"],
  breakSquare: ["square", "マス"],
  breakPly: ["ply", "手数"],
  breakJump: ["jump of the value", "評価の急変"],
  breakKey: ["hash key", "ハッシュキー"],
  breakMerge: ["merge of paths", "合流"],
  breakPrune: ["prune", "枝刈り"],
  breakProof: ["proof", "証明"],
  breakPlayout: ["playout", "プレイアウト番号"],

  explain: ["Explain this position", "この局面を説明"],
  explaining: ["Working it out…", "計算中…"],
  breakdownEmpty: ["Nothing explained yet. The value net takes each piece off once; the policy shows what speaks for a move.", "まだ計算していません。価値ネットは駒を一枚ずつ外して差を測り、方策は各手の根拠を示します。"],
  occlusion: ["What each piece is worth", "駒ごとの影響"],
  occlusionNote: ["What becomes of the win rate when the piece is taken off, in points", "その駒を取り除いたときの勝率の変化（ポイント）"],
  showOnBoard: ["Show on the board", "盤に表示"],
  piece: ["Piece", "駒"],
  change: ["Change", "変化"],
  policyFeatures: ["What the policy sees in a move", "方策が見る特徴"],
  feature: ["Feature", "特徴"],
  weight: ["Weight", "重み"],
  contribution: ["Contribution", "寄与"],
  total: ["Sum", "合計"],
  evaluation: ["Evaluation", "評価関数"],
  conflict: ["Why A is above B", "A が B に勝る理由"],
  difference: ["A − B", "A − B"],
  logit: ["logit", "ロジット"],

  first: ["First (Home)", "最初 (Home)"],
  previous: ["Back (←)", "戻る (←)"],
  play: ["Play (space)", "再生 (space)"],
  pausePlay: ["Pause (space)", "一時停止 (space)"],
  next: ["Next (→)", "進む (→)"],
  last: ["Last (End)", "最後 (End)"],
  nextSearch: ["Next search (])", "次の探索 (])"],
  previousSearch: ["Search before ([)", "前の探索 ([)"],
  seek: ["Place in the trace", "記録内の位置"],
  search: ["search", "探索"],
  event: ["event", "イベント"],
  gameEmpty: ["A point for each search of the game", "対局中の探索ごとに点が増えます"],
  clickToGo: ["click to go there", "クリックで移動"],
  tickerEmpty: ["Curves begin with the first visits", "訪問が始まると曲線が現れます"],

  decisionPlan: ["planned", "計画"],
  decisionStop: ["stopped", "終了"],
  nodeWindow: ["window there", "その局面の窓"],
  skippedMoves: ["moves skipped", "省いた手"],
  tableAnswers: ["answers of the table", "置換表の解決"],
  evaluations: ["evaluations", "評価回数"],
  longestRun: ["longest run", "最長の連なり"],
  plyFill: ["Nodes by move number", "手数別ノード数"],
  events: ["Events", "イベント"],
  eventsPartial: ["Selections, backups and what else belongs to walks is counted only while a log filter or a breakpoint wants it.",
    "選択や逆伝播などは、ログのフィルターやブレークポイントが必要とする間だけ数えます。"],
  workersPartial: ["Playouts that ended at a new position", "新しい局面で終わったプレイアウト"],
  beats: ["$name: $a beats $b most by $term ($by)", "$name：$a は $b より「$term」が最も勝る（$by）"],
  token: ["Token", "トークン"],
  unlock: ["Unlock", "操作を許可"],
  refused: ["Refused", "拒否されました"],
  wrongVersion: ["This page is of another version than the engine: reload it.", "ページとエンジンの版が違います。再読み込みしてください。"],
  cutTrace: ["the end of the file is missing", "ファイルの末尾が欠けています"],
  speedFactor: ["Speed", "速さ"],
  hand: ["hand", "持駒"],
  stoppedHere: ["The event here", "現在のイベント"],
  dropped: ["came too fast to show", "行が速すぎて省略"],

  keysTitle: ["Keys", "キー操作"],
  keyLine: ["move along a line", "読み筋を一手ずつ"],
  keyCandidate: ["choose a candidate", "候補手を選ぶ"],
  keyTabs: ["tree, breakdown, breakpoints, log", "探索木・内訳・ブレークポイント・ログ"],
  keyBack: ["back to the position searched", "探索局面に戻る"],
  keyFilter: ["find in the log", "ログを検索"],
  keyLanguage: ["English or Japanese", "日本語・英語"],
  keyStep: ["step, next playout, continue (when stopped)", "ステップ・次のプレイアウト・続行（停止中）"],
  keyTrace: ["first, back, play, next, last (trace)", "最初・戻る・再生・進む・最後（記録）"],
} as const;

const reasons: Record<string, [string, string]> = {
  cancelled: ["told to stop", "停止命令"],
  nodes: ["limit of nodes", "ノード数の上限"],
  depth: ["limit of depth", "深さの上限"],
  movetime: ["time for the move", "一手の時間"],
  clock: ["share of the clock", "時間配分"],
  overtaking: ["the best cannot be overtaken", "最善手は逆転不能"],
  "only move": ["only move", "合法手が一つ"],
  proved: ["proved", "詰みを証明"],
  "no move": ["no legal move", "合法手なし"],
  declare: ["declaration wins", "入玉宣言"],
  resign: ["below the threshold to resign", "投了の基準"],
  book: ["from the book", "定跡"],
};

/** reasonText is a search's reason in the page's language. */
export function reasonText(reason: string): string {
  return reasons[reason]?.[language === "ja" ? 1 : 0] ?? reason;
}

export type Word = keyof typeof words;

let language: Language = "en";

/** initialLanguage is what was chosen last, else the browser's. */
export function initialLanguage(stored: string | null, preferred: readonly string[]): Language {
  if (stored === "en" || stored === "ja") return stored;
  const first = preferred.find((l) => /^(ja|en)\b/i.test(l));
  return first?.toLowerCase().startsWith("ja") ? "ja" : "en";
}

/** setLanguage changes what t returns. */
export function setLanguage(l: Language): void {
  language = l;
}

/** currentLanguage returns what setLanguage set. */
export function currentLanguage(): Language {
  return language;
}

/** t returns a word in the chosen language. */
export function t(key: Word): string {
  return words[key][language === "ja" ? 1 : 0];
}

/** translate fills the static texts of a part of the page: data-t, data-t-title, data-t-label. */
export function translate(root: ParentNode): void {
  for (const e of root.querySelectorAll<HTMLElement>("[data-t]")) e.textContent = t(e.dataset.t as Word);
  for (const e of root.querySelectorAll<HTMLElement>("[data-t-title]")) e.title = t(e.dataset.tTitle as Word);
  for (const e of root.querySelectorAll<HTMLElement>("[data-t-label]")) e.setAttribute("aria-label", t(e.dataset.tLabel as Word));
}

/** missing lists words that lack a language; for tests. */
export function missing(): string[] {
  return Object.entries(words).filter(([, pair]) => pair.some((w) => !w)).map(([k]) => k);
}
