import { bounded } from "../text/format";

/** "0.73", and the interval below it. */
export function WithInterval({
  value,
  low,
  high,
}: {
  value: number | null;
  low?: number | null;
  high?: number | null;
}) {
  if (value === null) return <span className="mute">–</span>;
  return (
    <>
      {bounded(value)}
      <span className="basis">{intervalWords(low, high)}</span>
    </>
  );
}

/** "[0.70, 0.76]"; nothing where an end is not known. */
export function intervalWords(low: number | null | undefined, high: number | null | undefined): string {
  return low == null || high == null ? "" : `[${bounded(low)}, ${bounded(high)}]`;
}

/** "0.73 [0.70, 0.76]". */
export function valueWords(value: number | null, low?: number | null, high?: number | null): string {
  return value === null ? "–" : `${bounded(value)} ${intervalWords(low, high)}`.trim();
}

/** "0.012", and what is smaller as "< 0.001". */
export function pWords(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}

/** Why there is no value, in its place: a sentence. */
export function Because({ reason }: { reason: string }) {
  return <p className="mute">No value. {reason}</p>;
}
