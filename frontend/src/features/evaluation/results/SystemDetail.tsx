import { Link } from "react-router";
import { ConfusionTable, type Named } from "../../../components/ConfusionTable";
import { DataTable } from "../../../components/DataTable";
import { CardFiles } from "../../../components/FileLinks";
import { Because, intervalWords, valueWords, WithInterval } from "../../../components/intervals";
import { Select } from "../../../components/Select";
import { TableCard } from "../../../components/TableCard";
import { useProject } from "../../../session/project";
import { bounded, count, counted } from "../../../text/format";
import type { EvaluationDetail } from "../api";
import { type AskedSystem, isReason, type StageFigures, type SystemFigures } from "../figures";
import { CalibrationCards } from "./CalibrationCards";
import type { Names } from "./names";
import { StandInCard } from "./StandInCard";

interface SystemDetailProps {
  evaluation: EvaluationDetail;
  stage: StageFigures;
  system: SystemFigures;
  asked: AskedSystem | undefined;
  names: Names;
  onSystem: (name: string) => void;
}

/** Everything about one system at one stage. */
export function SystemDetail(props: SystemDetailProps) {
  const { stage, system } = props;
  return (
    <>
      <Head {...props} />
      <Confusion stage={stage} system={system} />
      <PerLabel system={system} />
      <ByAgreement system={system} />
      <CalibrationCards stage={stage.key} system={system} />
      <StandInCard standIn={system.stand_in} />
      <Shares system={system} />
      <AsRater system={system} />
    </>
  );
}

function Head({ evaluation, stage, system, asked, names, onSystem }: SystemDetailProps) {
  const { id } = useProject();
  const { right, wrong } = tally(stage, system);
  const query = new URLSearchParams({ system: system.name, stage: stage.key });
  const ids = (asked?.answered_by ?? []).map(({ model }) => model);
  return (
    <section className="card stack" aria-labelledby="one-system">
      <h2 id="one-system">
        {names.system(system.name)}: {names.stage(stage.key)}
      </h2>
      <Select
        label="System in detail"
        value={system.name}
        options={stage.systems.map(({ name }) => ({ value: name, text: names.system(name) }))}
        onValue={onSystem}
      />
      <p>
        {counted(right, "prediction")} as the people said, {count(wrong)} not.
        {ids.length > 0 && ` Answered by ${[...new Set(ids)].join(", ")}.`}
      </p>
      {wrong > 0 && (
        <div className="row">
          <Link className="button" to={`/projects/${id}/evaluation/${evaluation.id}/errors?${query}`}>
            Work through its errors
          </Link>
        </div>
      )}
    </section>
  );
}

function tally(stage: StageFigures, system: SystemFigures) {
  const right = stage.labels.reduce((sum, label) => sum + (system.confusion[label]?.[label] ?? 0), 0);
  return { right, wrong: system.n - right };
}

const NO_LABEL = "";

function Confusion({ stage, system }: { stage: StageFigures; system: SystemFigures }) {
  const labels: Named[] = stage.labels.map((label) => ({ key: label, name: label }));
  const cell = (gold: string, predicted: string) => system.confusion[gold]?.[predicted] ?? 0;
  const without = (gold: string) =>
    (stage.gold[gold] ?? 0) - stage.labels.reduce((sum, label) => sum + cell(gold, label), 0);
  const someWithout = stage.labels.some((gold) => without(gold) > 0);
  return (
    <section className="card stack" aria-labelledby="confusion">
      <div className="stack-tight">
        <h2 id="confusion">Confusion of labels</h2>
        <p className="small mute">
          Items by their gold label and by the prediction. On the outlined diagonal both agree; a deeper shade
          means more items.{" "}
          {someWithout && "Without a label: answers that are not compliant, or that never came."}
        </p>
      </div>
      <ConfusionTable
        title="Confusion of labels"
        ways={["People", "System"]}
        rows={labels}
        columns={someWithout ? [...labels, { key: NO_LABEL, name: "without a label" }] : labels}
        countAt={(gold, predicted) => (predicted === NO_LABEL ? without(gold) : cell(gold, predicted))}
        isMany={labels.length > 8}
      />
      <CardFiles stem={`confusion-${stage.key}-${system.name}`} />
    </section>
  );
}

function PerLabel({ system }: { system: SystemFigures }) {
  return (
    <TableCard title="Scores of each label">
      <DataTable
        className="accuracies"
        rows={system.per_label}
        keyOf={({ label }) => label}
        columns={[
          ["Label", ({ label }) => label],
          ["Gold labels", ({ n }) => count(n), "number"],
          ["Predicted", ({ n_predicted }) => count(n_predicted), "number"],
          ["Precision", ({ precision }) => <WithInterval value={precision} />, "number"],
          ["Recall", ({ recall }) => <WithInterval value={recall} />, "number"],
          ["F1", (of) => <WithInterval value={of.f1} low={of.f1_low} high={of.f1_high} />, "number nowrap"],
        ]}
      />
      <CardFiles stem="per_label" />
    </TableCard>
  );
}

function ByAgreement({ system: { by_agreement } }: { system: SystemFigures }) {
  const title = "Accuracy by agreement of the people";
  const parts = by_agreement
    ? [
        { name: "All people gave the gold label", share: by_agreement.unanimous },
        { name: "Some gave another label", share: by_agreement.majority },
      ]
    : [];
  return (
    <section className="card stack" aria-label={title}>
      <h2>{title}</h2>
      {by_agreement ? (
        <DataTable
          title={title}
          rows={parts}
          keyOf={({ name }) => name}
          columns={[
            ["Items", ({ name }) => name],
            ["Number", ({ share }) => count(share?.n ?? 0), "number"],
            [
              "Accuracy",
              ({ share }) => valueWords(share?.accuracy ?? null, share?.low, share?.high),
              "number nowrap",
            ],
          ]}
        />
      ) : (
        <Because reason="Nothing tells who gave which label." />
      )}
    </section>
  );
}

function Shares({ system: { shares } }: { system: SystemFigures }) {
  const title = "Shares of labels in the pool";
  return (
    <section className="card stack" aria-label={title}>
      <div className="stack-tight">
        <h2>{title}</h2>
        <p className="small mute">
          Prediction-powered: from few gold labels and many predictions. Classical: from gold labels alone.
          Both need gold labels of a random sample.
        </p>
      </div>
      {isReason(shares) ? (
        <Because reason={shares.reason} />
      ) : (
        <DataTable
          title={title}
          rows={shares}
          keyOf={({ label }) => label}
          columns={[
            ["Label", ({ label }) => label],
            ["Gold labels", ({ n }) => count(n), "number"],
            ["Pool", ({ n_pool }) => count(n_pool), "number"],
            [
              "Prediction-powered",
              ({ prediction_powered: { share, low, high } }) =>
                `${bounded(share)} ${intervalWords(low, high)}`,
              "number nowrap",
            ],
            [
              "Classical",
              ({ classical: { share, low, high } }) => `${bounded(share)} ${intervalWords(low, high)}`,
              "number nowrap",
            ],
          ]}
        />
      )}
      <CardFiles stem="shares" />
    </section>
  );
}

function AsRater({ system: { as_rater } }: { system: SystemFigures }) {
  if (as_rater === null) return null;
  const title = "As one more rater";
  return (
    <section className="card stack" aria-label={title}>
      <div className="stack-tight">
        <h2>{title}</h2>
        <p className="small mute">
          Agreement of the people alone, and with the system among them. The people's own figures under
          Agreement never count it.
        </p>
      </div>
      {isReason(as_rater) ? (
        <Because reason={as_rater.reason} />
      ) : (
        <DataTable
          title={title}
          rows={as_rater.statistics}
          keyOf={({ key }) => key}
          columns={[
            ["Statistic", (of) => of.title],
            ["People", ({ people }) => valueWords(people), "number"],
            ["With the system", ({ with_model }) => valueWords(with_model), "number"],
          ]}
        />
      )}
    </section>
  );
}
