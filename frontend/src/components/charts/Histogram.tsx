import { counted } from "../../text/format";

interface HistogramProps {
  /** Counts of bins of equal width. */
  bins: readonly number[];
  low: number;
  high: number;
  /** What is counted, such as "entropy over the pool, round 2". */
  label: string;
  tone?: number;
}

const HEIGHT = 48;
const WIDTH = 200;

/** A small histogram: the highest bin takes the whole height. */
export function Histogram({ bins, low, high, label, tone = 0 }: HistogramProps) {
  const most = Math.max(1, ...bins);
  const step = WIDTH / Math.max(1, bins.length);
  return (
    <div className="histogram">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${shapeWords(bins, low, high)}`}
      >
        {bins.map((n, place) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bin is its place.
            key={place}
            x={place * step + 0.5}
            width={step - 1}
            y={HEIGHT - barHeight(n, most)}
            height={barHeight(n, most)}
            fill={`var(--tone-${tone})`}
          />
        ))}
      </svg>
      <span className="ends" aria-hidden="true">
        <span>{low}</span>
        <span>{high}</span>
      </span>
    </div>
  );
}

/** A bin that holds anything at all is seen. */
function barHeight(n: number, most: number): number {
  return n === 0 ? 0 : Math.max(1, (HEIGHT * n) / most);
}

/** "most of 5,000 items between 0.90 and 0.95". */
export function shapeWords(bins: readonly number[], low: number, high: number): string {
  const total = bins.reduce((sum, n) => sum + n, 0);
  if (total === 0) return "no items";
  const place = bins.indexOf(Math.max(...bins));
  const at = (edge: number) => (low + ((high - low) * edge) / bins.length).toFixed(2);
  return `${counted(total, "item")}, the fullest bin from ${at(place)} to ${at(place + 1)}`;
}
