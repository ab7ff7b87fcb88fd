/** A seeded row of numbers in [0, 1): mulberry32. The same seed gives the same row. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function below(random: () => number, limit: number): number {
  return Math.floor(random() * limit);
}

const PARTS = [
  ...[
    "word",
    "Costs",
    "x",
    "é",
    "e\u0301",
    "שלום",
    "مرحبا",
    "漢字",
    "नि",
    "🎉",
    "👩‍🔬",
    "🇩🇪",
    "👍🏽",
    "a\u0302\u0323",
  ],
  ...[
    " ",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\u00a0",
    ".",
    ". ",
    ", ",
    "“",
    "”",
    "\u200d",
    "\ufe0f",
    "\u2028",
  ],
];

/** What texts hold that makes trouble: joined emoji, combining marks, flags, CR LF, tabs, right-to-left letters. */
export function someText(random: () => number, most: number): string {
  const parts = Array.from({ length: below(random, most) }, () => PARTS[below(random, PARTS.length)] ?? "");
  return parts.join("");
}
