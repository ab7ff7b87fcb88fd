import { useMemo } from "react";
import { ChartFigure } from "../../components/charts/ChartFigure";
import { LineChart } from "../../components/charts/LineChart";
import type { Reference } from "../../components/charts/model";
import { SeriesTable } from "../../components/charts/SeriesTable";
import { Stat } from "../../components/Stat";
import { count, counted } from "../../components/words";
import type { FullSupervision, Simulation, SimulationDetail, Study, Summary } from "./api";
import { F1_AXIS, LABELS_AXIS, SHARE_AXIS } from "./axes";
import { studySeries } from "./curves";
import { DifferencesTable, StrategiesTable } from "./tables";
import {
  blindCaveat,
  coinciding,
  intervalWords,
  ownLabelsCaveat,
  score,
  seedsCaveat,
  shownClasses,
  signed,
  spreadWords,
  testCaveat,
  twoLabelsCaveat,
  winnerOf,
} from "./words";

export function Results({ simulation }: { simulation: SimulationDetail }) {
  const { summary } = simulation;
  if (!summary) return null;
  return (
    <>
      <HowToRead simulation={simulation} summary={summary} />
      {summary.studies.map((study) => (
        <StudyCards
          key={`${study.model} ${study.batch_size}`}
          study={study}
          full={summary.full_supervision[study.model] ?? null}
          simulation={simulation}
        />
      ))}
    </>
  );
}

function HowToRead({ simulation, summary }: { simulation: Simulation; summary: Summary }) {
  const { config, texts } = simulation;
  const lines = [
    seedsCaveat(config.seeds.length),
    testCaveat(texts.test.n),
    blindCaveat(simulation, summary),
    twoLabelsCaveat(simulation),
    ownLabelsCaveat(simulation),
    "What holds here holds for these texts, labels and models; another corpus may turn the order round.",
  ].filter(Boolean);
  return (
    <section className="card stack-tight" aria-labelledby="reading">
      <h2 id="reading">What this can say</h2>
      <ul className="reasons">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}

interface StudyProps {
  study: Study;
  full: FullSupervision | null;
  simulation: Simulation;
}

function StudyCards({ study, full, simulation }: StudyProps) {
  return (
    <section className="study" aria-label={`${study.model}, batches of ${study.batch_size}`}>
      <h2 className="study-title">
        {study.model}, batches of {count(study.batch_size)}
      </h2>
      <Figures study={study} full={full} />
      <F1Chart study={study} />
      {shownClasses(simulation).map((label) => (
        <ShareChart key={label} study={study} label={label} pool={simulation.texts.train} />
      ))}
      <StrategiesTable study={study} />
      <DifferencesTable study={study} />
    </section>
  );
}

function Figures({ study, full }: Omit<StudyProps, "simulation">) {
  const winner = winnerOf(study);
  return (
    <div className="stats">
      {winner && (
        <Stat title="Largest area under the curve" value={winner.label} isNumber={false}>
          {spreadWords(winner.summary.area_under_curve)}, {counted(study.seeds.length, "seed")}
        </Stat>
      )}
      {winner?.difference && (
        <Stat title={`Above ${study.baseline}, by area`} value={signed(winner.difference.mean)}>
          {intervalWords(winner.difference)}; higher in {winner.difference.n_higher} of {study.seeds.length}{" "}
          seeds
        </Stat>
      )}
      {winner && !winner.difference && study.baseline && (
        <Stat title="Above the baseline" value="nothing" isNumber={false}>
          no strategy has a larger area than {study.baseline}
        </Stat>
      )}
      {full && (
        <Stat title="Full supervision, test macro-F1" value={score(full.macro_f1.mean)}>
          {count(full.n_labeled)} labels, {counted(full.seeds.length, "seed")}; on the learnt texts{" "}
          {score(full.training_macro_f1.mean)}
        </Stat>
      )}
    </div>
  );
}

function F1Chart({ study }: { study: Study }) {
  const series = useMemo(
    () => studySeries(study, (label) => study.strategies[label]?.macro_f1 ?? []),
    [study],
  );
  const reference = useMemo(() => fullReference(study), [study]);
  const title = "Test macro-F1 over labels";
  const same = coinciding(study).join(" ");
  return (
    <ChartFigure
      title={title}
      about={`${aboutWords(study)} ${same}`}
      table={<SeriesTable series={series} x={LABELS_AXIS} y={F1_AXIS} />}
    >
      <LineChart
        label={title}
        series={series}
        x={LABELS_AXIS}
        y={F1_AXIS}
        reference={reference}
        height={22}
      />
    </ChartFigure>
  );
}

function fullReference(study: Study): Reference | undefined {
  const y = study.full_supervision_macro_f1;
  return y === null ? undefined : { label: "full supervision", y };
}

function aboutWords({ seeds }: Study): string {
  return seeds.length === 1
    ? "One seed: there is no band."
    : `Lines are means over ${seeds.length} seeds, bands one standard deviation.`;
}

interface ShareChartProps {
  study: Study;
  label: string;
  pool: Simulation["texts"]["train"];
}

function ShareChart({ study, label, pool }: ShareChartProps) {
  const series = useMemo(
    () => studySeries(study, (strategy) => study.strategies[strategy]?.class_shares[label] ?? []),
    [study, label],
  );
  const share = (pool.class_counts[label] ?? 0) / pool.n;
  const reference = useMemo(() => ({ label: "in the pool", y: share }), [share]);
  const title = `Share of “${label}” among the labelled`;
  return (
    <ChartFigure
      title={title}
      about={`${aboutWords(study)} A larger share is a means, not the end: the model is what counts.`}
      table={<SeriesTable series={series} x={LABELS_AXIS} y={SHARE_AXIS} />}
    >
      <LineChart label={title} series={series} x={LABELS_AXIS} y={SHARE_AXIS} reference={reference} />
    </ChartFigure>
  );
}
