// Numbers as people read them. Everything here is a pure function.

/** count writes a whole number with thin groups: 1 234 567. */
export function count(n: number): string {
  return Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** short writes a number in at most five characters. */
export function short(n: number): string {
  if (n < 10_000) return String(Math.round(n));
  if (n < 10_000_000) return Math.round(n / 1000) + "k";
  return Math.round(n / 1_000_000) + "M";
}

/** percent writes a share 0..1. */
export function percent(share: number, digits = 1): string {
  return (100 * share).toFixed(digits) + "%";
}

/** bytes writes a size in binary units. */
export function bytes(n: number): string {
  for (const unit of ["B", "KiB", "MiB"]) {
    if (n < 1024) return (n < 10 && unit !== "B" ? n.toFixed(1) : Math.round(n)) + " " + unit;
    n /= 1024;
  }
  return n.toFixed(n < 10 ? 2 : 1) + " GiB";
}

/** seconds writes a time given in milliseconds. */
export function seconds(ms: number): string {
  if (ms < 0) return "–";
  if (ms < 10_000) return (ms / 1000).toFixed(2) + " s";
  if (ms < 60_000) return (ms / 1000).toFixed(1) + " s";
  const s = Math.floor(ms / 1000);
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}

/** mateScore is the score of being mated at once; mateIn scores within a thousand of it. */
const mateScore = 32000;

/** score writes alpha-beta's score: pawns, or a mate's length. */
export function score(cp: number): string {
  if (cp > mateScore) return "+∞";
  if (cp < -mateScore) return "−∞";
  if (cp > mateScore - 1000) return "+M" + (mateScore - cp);
  if (cp < -mateScore + 1000) return "−M" + (mateScore + cp);
  return (cp > 0 ? "+" : cp < 0 ? "−" : "") + Math.abs(cp);
}

/** proof says what a proof means: n > 0 a win in n plies, n < 0 a loss in -n-1. */
export function proof(n: number): string {
  if (n > 0) return "✓ " + n;
  if (n < 0) return "✗ " + (-n - 1);
  return "";
}

/** rateColour goes from orange (lost) over cream (even) to teal (won), as the engine's pictures do. */
export function rateColour(rate: number): string {
  const low = [226, 124, 58], even = [250, 247, 236], high = [64, 160, 146];
  const to = rate < 0.5 ? low : high;
  const share = Math.sqrt(Math.min(1, Math.max(0, rate < 0.5 ? 1 - 2 * rate : 2 * rate - 1)));
  const c = even.map((e, i) => Math.round(e + (to[i]! - e) * share));
  return `rgb(${c.join(",")})`;
}
