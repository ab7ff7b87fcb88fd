import { boundedPercent, count } from "../../../text/format";
import { hundred } from "../copy";
import type { Interval, Mean } from "../figures";

const NONE = <span className="mute">–</span>;

/** "83.1 %", and its limits below. */
export function Accuracy({ of }: { of: Interval | undefined }) {
  if (!of) return NONE;
  const { value, low, high } = of;
  return (
    <>
      {boundedPercent(value)}
      {low !== null && high !== null && <Limits low={percentOf(low)} high={percentOf(high)} />}
    </>
  );
}

function percentOf(share: number): string {
  return boundedPercent(share).replace(" %", "");
}

/** A score times 100, and its limits below. */
export function Score({ of }: { of: Mean | null | undefined }) {
  if (!of) return NONE;
  return (
    <>
      {hundred(of.mean)}
      <Limits low={hundred(of.low)} high={hundred(of.high)} />
    </>
  );
}

/** A mean share of texts, and its limits below. `all`: how many texts there are, where it stands on fewer. */
export function Share({ of, all }: { of: Mean | null | undefined; all?: number }) {
  if (!of) return NONE;
  return (
    <>
      {boundedPercent(of.mean)}
      <Limits low={percentOf(of.low)} high={percentOf(of.high)} />
      {all !== undefined && of.n < all && <span className="basis">n = {count(of.n)}</span>}
    </>
  );
}

function Limits({ low, high }: { low: string; high: string }) {
  return (
    <span className="basis">
      [{low}, {high}]
    </span>
  );
}

export function MeanAccuracy({ value }: { value: number | null | undefined }) {
  return value == null ? NONE : boundedPercent(value);
}
