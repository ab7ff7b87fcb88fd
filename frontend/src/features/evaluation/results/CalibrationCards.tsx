import { useMemo } from "react";
import { ChartFigure } from "../../../components/charts/ChartFigure";
import { Histogram } from "../../../components/charts/Histogram";
import { LineChart } from "../../../components/charts/LineChart";
import type { Axis, Series } from "../../../components/charts/model";
import { SeriesTable } from "../../../components/charts/SeriesTable";
import { DataTable } from "../../../components/DataTable";
import { CardFiles } from "../../../components/FileLinks";
import { Because, valueWords } from "../../../components/intervals";
import { bounded, count, counted, percent } from "../../../text/format";
import { type Bin, type Calibration, isReason, type SystemFigures } from "../figures";

// They keep their identity between renders, so that nothing is drawn anew.
const CONFIDENCE: Axis = { name: "stated confidence", min: 0, max: 1, step: 0.2 };
const ACCURACY: Axis = { name: "accuracy", min: 0, max: 1, step: 0.2, words: (value) => bounded(value) };
const COVERAGE: Axis = {
  name: "share of items that are answered",
  min: 0,
  max: 1,
  step: 0.2,
  words: percent,
};
const RISK: Axis = { name: "errors among them", min: 0, words: percent };
const PERFECT: Series = {
  label: "perfect calibration",
  points: [
    { x: 0, y: 0 },
    { x: 1, y: 1 },
  ],
  dashed: true,
};

/** Does the stated confidence say how often the system is right? */
export function CalibrationCards({ stage, system }: { stage: string; system: SystemFigures }) {
  const { calibration } = system;
  if (calibration === null)
    return (
      <section className="card stack-tight" aria-label="Calibration">
        <h2>Calibration</h2>
        <Because reason="The system stated no confidence." />
      </section>
    );
  return (
    <>
      <Figures calibration={calibration} />
      <div className="two-charts">
        <Reliability
          bins={calibration.bins}
          title="Reliability of the stated confidence"
          stem={`reliability-${stage}-${system.name}`}
        />
        <RiskCoverage calibration={calibration} stem={`risk-coverage-${stage}`} />
      </div>
      <Recalibrated calibration={calibration} />
    </>
  );
}

function Figures({ calibration: of }: { calibration: Calibration }) {
  const lines: [string, string][] = [
    ["Expected calibration error", valueWords(of.ece, of.ece_low, of.ece_high)],
    ["The same, bins of equal mass", bounded(of.adaptive_ece)],
    ["Brier score", bounded(of.brier)],
    ["Compliant answers", count(of.n)],
  ];
  return (
    <section className="card stack" aria-labelledby="calibration">
      <div className="stack-tight">
        <h2 id="calibration">Calibration</h2>
        <p className="small mute">
          Does the stated confidence say how often the system is right? An error of 0 would be perfect.
        </p>
      </div>
      <dl className="figures">
        {lines.map(([title, words]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <CardFiles stem="calibration" />
    </section>
  );
}

function Reliability({ bins, title, stem }: { bins: readonly Bin[]; title: string; stem: string }) {
  const series = useMemo(
    () => [
      {
        label: "accuracy in each bin",
        points: bins.flatMap(({ confidence, accuracy }) =>
          confidence === null ? [] : [{ x: confidence, y: accuracy }],
        ),
      },
      PERFECT,
    ],
    [bins],
  );
  const filled = bins.filter(({ n }) => n > 0);
  return (
    <ChartFigure
      title={title}
      about="Below the dashed line the system is surer than it is right. The bars count the answers of each bin."
      table={<BinTable bins={filled} />}
    >
      <LineChart label={title} series={series} x={CONFIDENCE} y={ACCURACY} height={18} />
      <Histogram bins={bins.map(({ n }) => n)} low={0} high={1} label="Answers by stated confidence" />
      <CardFiles stem={stem} />
    </ChartFigure>
  );
}

function BinTable({ bins }: { bins: readonly Bin[] }) {
  return (
    <DataTable
      rows={bins}
      keyOf={({ low }) => low}
      columns={[
        ["Confidence", ({ low, high }) => `${low.toFixed(2)} to ${high.toFixed(2)}`],
        ["Answers", ({ n }) => count(n), "number"],
        ["Mean confidence", ({ confidence }) => valueWords(confidence), "number"],
        ["Accuracy", ({ accuracy }) => valueWords(accuracy), "number"],
      ]}
    />
  );
}

function RiskCoverage({ calibration: { risk_coverage }, stem }: { calibration: Calibration; stem: string }) {
  const series = useMemo(
    () => [
      { label: "errors", points: risk_coverage.map(({ coverage, risk }) => ({ x: coverage, y: risk })) },
    ],
    [risk_coverage],
  );
  const title = "Errors by coverage";
  return (
    <ChartFigure
      title={title}
      about="If only the most confident answers were taken: how many of them would be wrong? A useful confidence makes the line rise to the right."
      table={<SeriesTable series={series} x={COVERAGE} y={RISK} />}
    >
      <LineChart label={title} series={series} x={COVERAGE} y={RISK} height={18} />
      <CardFiles stem={stem} />
    </ChartFigure>
  );
}

function Recalibrated({ calibration }: { calibration: Calibration }) {
  const { recalibrated } = calibration;
  const title = "After recalibration";
  if (isReason(recalibrated))
    return (
      <section className="card stack-tight" aria-label={title}>
        <h2>{title}</h2>
        <Because reason={recalibrated.reason} />
      </section>
    );
  return (
    <section className="card stack" aria-label={title}>
      <div className="stack-tight">
        <h2>{title}</h2>
        <p className="small mute">
          Platt's scaling, fitted on one half of the {counted(calibration.n, "answer")} and applied to the
          other, both ways.
        </p>
      </div>
      <DataTable
        title={title}
        rows={[
          { name: "As stated", ece: calibration.ece, brier: calibration.brier },
          { name: "Recalibrated", ece: recalibrated.ece, brier: recalibrated.brier },
        ]}
        keyOf={({ name }) => name}
        columns={[
          ["Confidence", ({ name }) => name],
          ["Expected calibration error", ({ ece }) => bounded(ece), "number"],
          ["Brier score", ({ brier }) => bounded(brier), "number"],
        ]}
      />
    </section>
  );
}
