import { useState } from "react";
import { Switch } from "../../components/Switch";
import { TableCard } from "../../components/TableCard";
import type { Difference, Study } from "./api";
import { intervalWords, reachedWords, score, seedsWords, signed, spreadWords } from "./words";

const MEASURES: Record<Difference["measure"], string> = {
  area_under_curve: "area under the curve",
  last_macro_f1: "macro-F1 after the last batch",
};

export function StrategiesTable({ study }: { study: Study }) {
  const strategies = Object.entries(study.strategies);
  const percents = Object.keys(strategies[0]?.[1].labels_to_reach ?? {});
  return (
    <TableCard title="What each strategy came to" about={<StrategiesAbout study={study} />}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Strategy</th>
            <th scope="col" className="number">
              Area under the curve
            </th>
            <th scope="col" className="number">
              Last macro-F1
            </th>
            {percents.map((percent) => (
              <th scope="col" className="number" key={percent}>
                Labels to {percent} %
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {strategies.map(([label, summary]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className="number nowrap">{spreadWords(summary.area_under_curve)}</td>
              <td className="number nowrap">{spreadWords(summary.last_macro_f1)}</td>
              {percents.map((percent) => (
                <td className="number nowrap" key={percent}>
                  {reachedWords(summary.labels_to_reach[percent])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableCard>
  );
}

function StrategiesAbout({ study }: { study: Study }) {
  return (
    <p className="table-about">
      Area: trapezoid rule over labels, divided by their range. Labels needed for a share of full supervision:
      the first batch at which the mean curve is there, in brackets how many seeds get there by themselves
      {study.baseline ? `; x: over those of ${study.baseline}` : ""}.
    </p>
  );
}

export function DifferencesTable({ study }: { study: Study }) {
  const [shown, setShown] = useState<"baseline" | "all">("baseline");
  const against = study.differences.filter((each) => each.against === study.baseline);
  const rows = shown === "all" || against.length === 0 ? study.differences : against;
  if (study.differences.length === 0) return null;
  return (
    <TableCard
      title="Paired differences"
      about={
        <>
          {against.length > 0 && against.length < study.differences.length && (
            <Switch
              label="Which pairs"
              value={shown}
              options={[
                { value: "baseline", text: `from ${study.baseline}` },
                { value: "all", text: "all pairs" },
              ]}
              onValue={setShown}
            />
          )}
          <p className="table-about">
            Per seed, first minus second: seeds share the first batch and the model's seeds. Interval: 95 %,
            percentile bootstrap over seeds.
          </p>
        </>
      }
    >
      <table className="table">
        <thead>
          <tr>
            <th scope="col">First − second</th>
            <th scope="col">Measure</th>
            <th scope="col" className="number">
              Mean
            </th>
            <th scope="col" className="number">
              95 % interval
            </th>
            <th scope="col" className="number">
              Seeds higher / equal / lower
            </th>
            <th scope="col">By seed</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.strategy} ${row.against} ${row.measure}`}>
              <th scope="row" className="nowrap">
                {row.strategy} − {row.against}
              </th>
              <td>{MEASURES[row.measure]}</td>
              <td className="number nowrap">{signed(row.mean)}</td>
              <td className="number nowrap">{intervalWords(row)}</td>
              <td className="number nowrap">{seedsWords(row)}</td>
              <td className="small numbers">{row.by_seed.map((value) => bySeed(value)).join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableCard>
  );
}

function bySeed(value: number): string {
  return value > 0 ? `+${score(value)}` : score(value);
}
