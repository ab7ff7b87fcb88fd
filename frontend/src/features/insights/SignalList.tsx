import { useMemo } from "react";
import { STATUS_WORDS, signalNumber } from "../../activeLearning/insightFormat";
import type { Signal } from "../../api/insights";
import { LineChart } from "../../components/charts/LineChart";
import type { Axis } from "../../components/charts/model";
import { SeriesTable } from "../../components/charts/SeriesTable";
import { Disclosure } from "../../components/Disclosure";
import { TableScroll } from "../../components/TableCard";
import { signalSeries } from "./metrics";

const X: Axis = { name: "round", isWhole: true };
const Y: Axis = { name: "value", words: signalNumber };

/** Advice on stopping: each signal with what it means, its threshold, and where it stands. Nothing stops by itself. */
export function SignalList({ signals }: { signals: readonly Signal[] }) {
  const reached = signals.filter(({ status }) => status === "reached").length;
  return (
    <section className="card stack" aria-labelledby="signals">
      <div className="card-head">
        <h2 id="signals">Is it time to stop?</h2>
        <span className="small mute">
          {reached} of {signals.length} signals reached
        </span>
      </div>
      <p className="small mute">
        These advise; nothing stops by itself. No single one decides: look for several that agree, and for
        what a further batch would cost.
      </p>
      <ul className="signals">
        {signals.map((signal) => (
          <SignalRow key={signal.key} signal={signal} />
        ))}
      </ul>
    </section>
  );
}

const TAGS: Record<Signal["status"], string> = { reached: "tag reached", not_reached: "tag", unknown: "tag" };

function SignalRow({ signal }: { signal: Signal }) {
  const isMeasured = signal.values.some(({ value }) => value !== null);
  return (
    <li>
      <h3>
        {signal.title} <span className={TAGS[signal.status]}>{STATUS_WORDS[signal.status]}</span>
      </h3>
      {signal.reason && <p>{signal.reason}</p>}
      <p className="small mute">
        {signal.definition}
        {signal.threshold !== null && ` Threshold: ${signalNumber(signal.threshold)}.`}
      </p>
      {isMeasured && (
        <Disclosure
          title={
            <>
              Value over the rounds <span className="visually-hidden">of “{signal.title}”</span>
            </>
          }
        >
          <Values signal={signal} />
        </Disclosure>
      )}
    </li>
  );
}

function Values({ signal }: { signal: Signal }) {
  const series = useMemo(() => signalSeries(signal), [signal]);
  const references = useMemo(
    () => (signal.threshold === null ? [] : [{ label: "threshold", y: signal.threshold }]),
    [signal.threshold],
  );
  return (
    <>
      <LineChart label={`${signal.title} by round`} height={10} x={X} y={Y} {...{ series, references }} />
      <TableScroll title={`${signal.title} by round`}>
        <SeriesTable series={series} x={X} y={Y} />
      </TableScroll>
    </>
  );
}
