import { useMemo } from "react";
import { Stat } from "../../components/Stat";
import { count, counted } from "../../text/format";
import type { FullSupervision, Simulation, SimulationDetail, Study, Summary } from "./api";
import {
  blindCaveat,
  intervalWords,
  namedCaveat,
  ownLabelsCaveat,
  sameOrderCaveat,
  score,
  seedsCaveat,
  shownClasses,
  signed,
  spreadWords,
  testCaveat,
  winnerOf,
} from "./copy";
import { measuredOn, primaryOf } from "./measured";
import { F1Chart, ShareChart } from "./StudyCharts";
import { DifferencesTable, ReferencesTable, StrategiesTable } from "./tables";

export function Results({ simulation }: { simulation: SimulationDetail }) {
  const { summary } = simulation;
  if (!summary) return null;
  return (
    <>
      <HowToRead simulation={simulation} summary={summary} />
      <ReferencesTable summary={summary} />
      {summary.studies.map((study) => (
        <StudyCards
          key={`${study.model} ${study.batch_size}`}
          study={study}
          summary={summary}
          full={summary.full_supervision[study.model] ?? null}
          simulation={simulation}
        />
      ))}
    </>
  );
}

function HowToRead({ simulation, summary }: { simulation: SimulationDetail; summary: Summary }) {
  const { config, texts } = simulation;
  const lines = [
    namedCaveat(simulation),
    seedsCaveat(config.seeds.length),
    testCaveat(texts.test.n),
    blindCaveat(simulation, summary),
    sameOrderCaveat(simulation),
    ownLabelsCaveat(simulation),
    "What holds here holds for these texts, labels and models; another corpus may reverse the order.",
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
  summary: Summary;
  full: FullSupervision | null;
  simulation: Simulation;
}

function StudyCards({ study, summary, full, simulation }: StudyProps) {
  // Charts are drawn anew where their data are new objects.
  const measured = useMemo(() => measuredOn(study, summary), [study, summary]);
  return (
    <section className="study" aria-label={`${study.model}, batches of ${study.batch_size}`}>
      <h2 className="study-title">
        {study.model}, batches of {count(study.batch_size)}
      </h2>
      <Figures study={study} summary={summary} full={full} />
      {measured.map((each) => (
        <F1Chart key={each.part} study={study} measured={each} />
      ))}
      {shownClasses(simulation).map((label) => (
        <ShareChart key={label} study={study} label={label} pool={simulation.texts.train} />
      ))}
      {measured.map((each) => (
        <StrategiesTable key={each.part} study={study} measured={each} summary={summary} />
      ))}
      {measured.map((each) => (
        <DifferencesTable key={each.part} measured={each} />
      ))}
    </section>
  );
}

function Figures({ study, summary, full }: Omit<StudyProps, "simulation">) {
  const winner = winnerOf(study);
  const named = primaryOf(study, summary);
  return (
    <div className="stats">
      {named && (
        <Stat title={`Primary: ${named.strategy} − ${named.against}, area`} value={signed(named.mean)}>
          {named.where}; {intervalWords(named.interval_95)} (t),{" "}
          {intervalWords(named.interval_95_seeds_and_items)} (seeds and items)
        </Stat>
      )}
      {winner && (
        <Stat title="Largest area under the curve" value={winner.label} isNumber={false}>
          {spreadWords(winner.summary.area_under_curve)}, {counted(study.seeds.length, "seed")}
        </Stat>
      )}
      {winner?.difference && (
        <Stat title={`Above ${study.baseline}, by area`} value={signed(winner.difference.mean)}>
          {intervalWords(winner.difference.interval_95)}; higher in {winner.difference.n_higher} of{" "}
          {study.seeds.length} seeds
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
