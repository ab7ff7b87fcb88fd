import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { type BatchInsight, type ClassifierFigures, type Insights, insightsQuery } from "../api/insights";
import { bounded, coefficient, count, percent } from "../text/format";
import { baselineName, doubtWords, liftWords, perHundredWords, shareWords } from "./insightFormat";
import "./roundFigures.css";

/** What one round's batch brought, at the stage that the newest round learns. */
export function RoundFigures({ projectId, roundId }: { projectId: string; roundId: string }) {
  const { data: insights, error } = useQuery({ ...insightsQuery(projectId), refetchInterval: 15_000 });
  if (error && !insights)
    return <p className="small mute">Its figures could not be loaded: {error.message}</p>;
  if (!insights) return <p className="small mute">Loading its figures</p>;
  const batch = insights.batches.find(({ round_id }) => round_id === roundId);
  if (!batch) return <p className="small mute">Its figures come when its batch is open.</p>;
  const title = insights.stages.find(({ key }) => key === insights.stage)?.title ?? insights.stage;
  return (
    <div className="stack round-figures">
      <dl className="figure-list">
        {figures(batch, insights).map(([name, value, basis]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="numbers">
              {value} {basis && <span className="why">{basis}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <p className="small mute">
        At “{title}”. <Link to={`/projects/${projectId}/insights`}>Beside the other batches</Link>
      </p>
    </div>
  );
}

type Figure = [name: string, value: string, basis?: string];

function figures(batch: BatchInsight, insights: Insights): Figure[] {
  const { positives } = batch;
  return [
    [
      "With an outcome",
      `${count(batch.n_labeled)} of ${count(batch.size)}`,
      batch.complete ? "complete" : "still open",
    ],
    ["Positives", shareWords(positives)],
    [
      "Lift",
      liftWords(positives) ?? "–",
      insights.baseline ? `over the ${baselineName(insights.baseline)}` : "no baseline yet",
    ],
    ["Positives per 100 annotations", perHundredWords(positives), `n = ${count(positives.n_annotations)}`],
    agreementFigure(batch),
    ["Held-out macro-F1", ...classifier(batch.held_out, "no test set, or no model")],
    ["Training macro-F1", ...classifier(batch.training, "no model", "fit, not quality")],
    ...poolFigures(batch),
  ];
}

function agreementFigure({ agreement }: BatchInsight): Figure {
  const { coefficient: name, alpha, n_units, reason } = agreement;
  const title = name === null ? "Agreement" : `Agreement, ${name}`;
  return alpha === null ? [title, "undefined", reason] : [title, bounded(alpha), `n = ${count(n_units)}`];
}

function classifier(figures: ClassifierFigures | null, nothing: string, note = ""): [string, string] {
  if (!figures) return ["–", nothing];
  return [coefficient(figures.macro_f1, 3), [`n = ${count(figures.n)}`, note].filter(Boolean).join("; ")];
}

function poolFigures({ pool, informative, doubts }: BatchInsight): Figure[] {
  if (!pool) return [];
  const share = pool.predicted_positive_share;
  const flag: Figure[] = informative === false ? [["Model", "not informative yet", doubtWords(doubts)]] : [];
  return [
    ["Predicted positive in the pool", share === null ? "–" : percent(share), `n = ${count(pool.n)}`],
    ["Entropy of the pool / ln C, median", coefficient(pool.entropy_over_ln_c.median, 3)],
    ...flag,
  ];
}
