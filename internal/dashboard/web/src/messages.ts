// The messages of ../../message.go as the page reads them. Units and points of view are explained there. Members that Go leaves out when
// they are 0, false or empty are optional here.

export interface Hello {
  type: "hello"; schema: number; version: string; mode: "live" | "trace"; engine: string;
  canControl: boolean; hasToken: boolean; options?: Option[]; game: Game;
}
export interface Option { name: string; value: string; default: string }
export interface Game { type: "game"; start: string; moves: string[] | null; position: string; check?: boolean; history?: HistoryPoint[] }
export interface HistoryPoint { ply: number; move: string; reason?: string; winRate: number; score?: number; playouts: number; took: number; search?: number }

export interface Search {
  type: "search"; seq: number; number: number; state: "idle" | "thinking" | "stopped" | "done"; engine: string;
  elapsed: number; playouts: number; speed: number; visits?: number; winRate: number; value?: number; proof?: number;
  scale?: number; loss?: number; selDepth?: number; meanDepth?: number;
  candidates?: Candidate[]; moreMoves?: number; clock?: Clock; workers?: Worker[]; memory?: Memory; alphaBeta?: AlphaBeta;
  best?: string; reason?: string; events?: Record<string, number>; eventsPartial?: boolean;
}
export interface Candidate {
  move: string; visits: number; share: number; flying?: number; prior?: number; q: number; u?: number; lcb?: number;
  cp: number; proof?: number; bound?: "upper" | "lower" | ""; pv?: string[];
}
export interface Clock { optimum?: number; hard: number; zero?: number; decisions?: Decision[] }
export interface Decision { at: number; what: string; reason?: string }
export interface Worker { number: number; playouts: number; speed: number; ply: number }
export interface Memory {
  full: number; slots?: number; usedSlots?: number; cells?: number; usedCells?: number; usedBytes?: number;
  recycled?: number; pauses?: number; longestPause?: number; evaluations?: number;
}
export interface AlphaBeta {
  depth: number; rootMove?: string; rootIndex?: number; rootMoves?: number; alpha: number; beta: number;
  line?: string[]; lineAlpha: number; lineBeta: number; lineDepth: number;
  cuts: number; skipped: number; answers: number; principal?: string[]; score: number;
}

export interface Curves { type: "curves"; number: number; times: number[] | null; moves: CurveData[] | null }
export interface CurveData { move: string; q: (number | null)[]; share: (number | null)[] }
export interface Hash {
  type: "hash"; cap: number; used: number; deleted?: number; load: number; probeLengths: number[] | null; meanProbe: number;
  longestRun: number; firstPly: number; plyFill: number[] | null; resting?: boolean;
}
export interface Log { type: "log"; lines: LogLine[] | null; dropped?: number }
export interface LogLine { time: number; search: number; level: "info" | "debug"; kind: string; ply: number; move?: string; text: string }

export interface Tree { type: "tree"; id: number; engine: string; search: number; path?: string[]; root: string; nodes: TreeNode[] | null; principal?: number[] }
export interface TreeNode {
  ply: number; node?: string; n: number; q: number; v?: number | null; proof?: number; score?: number; alpha?: number; beta?: number;
  scored?: boolean; depth?: number; table?: boolean; skipped?: number; more?: number; moreN?: number; edges?: TreeEdge[];
}
export interface TreeEdge { move: string; to: number; n: number; p?: number; q: number }

export interface Breakpoints { type: "breakpoints"; list: { id: number; text: string }[] | null; help?: string }
export interface Stopped {
  type: "stopped"; stopped: boolean; breakpoint?: number; search?: number; kind?: string; text?: string; worker?: number; playout?: number;
  ply?: number; root?: string; path?: string[]; position?: string; key?: string; move?: string;
  window?: { alpha: number; beta: number; depth: number; score: number };
  visits?: number; winRate?: number; value?: number; scale?: number; loss?: number; candidates?: StoppedCandidate[];
}
export interface StoppedCandidate { move: string; n: number; flying?: number; p: number; q: number; u: number; proof?: number; fresh?: boolean; chosen?: boolean }

export interface Trace {
  type: "trace"; at: number; records: number; search: number; searches?: TraceSearch[]; time?: number; text?: string; playing?: boolean; cut?: boolean;
}
export interface TraceSearch { number: number; from: number; to: number; engine: string; ply: number; best?: string }
export interface Failure { type: "error"; command?: string; id?: number; text: string }

export type BreakdownKind = "occlusion" | "policy" | "features" | "conflict";
export interface Breakdown {
  type: "breakdown"; id: number; kind: BreakdownKind; position: string; winRate?: number; score?: number;
  pieces?: { square: string; piece: string; change: number }[];
  moves?: { move: string; prior: number; logit: number; parts?: Term[] }[];
  terms?: Term[]; a?: string; b?: string; basis?: string; text?: string;
}
export interface Term { name: string; weight?: number; value?: number; product: number; b?: number; difference?: number }

export type Message = Hello | Game | Search | Curves | Hash | Log | Tree | Breakpoints | Stopped | Trace | Breakdown | Failure;

/** schemaVersion is the version of the messages that this page reads. */
export const schemaVersion = 1;
