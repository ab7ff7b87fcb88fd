import { DataTable } from "../../../components/DataTable";
import { TableCard } from "../../../components/TableCard";
import { boundedPercent, count, duration } from "../../../text/format";
import type { Figures, SystemFigures } from "../figures";

/** What each system read and how it learned. */
export function TrainingTable({ figures }: { figures: Figures }) {
  const title = "Filtering and training";
  return (
    <TableCard
      title={title}
      about={
        <p className="table-about">
          Sentences, tokens and recall are of the test sources, since FilterBERT has learned from the others.
          Sentences and tokens are means of a filtered source. Recall is the share of the targets' bigrams
          that the filtered sources keep. Empty counts all sources of which the filter kept nothing.
          Everything ran on {figures.device}, with seed {figures.seed}.
        </p>
      }
    >
      <DataTable
        label={title}
        rows={figures.systems}
        keyOf={({ name }) => name}
        columns={[
          ["System", ({ title }) => title],
          ["Sentences", ({ filtering }) => filtering.sentences_mean.toFixed(1), "number"],
          ["Tokens", ({ filtering }) => count(filtering.tokens_mean), "number"],
          ["Recall", ({ filtering }) => shareOf(filtering.rouge2_recall), "number nowrap"],
          ["Empty", ({ filtering }) => count(filtering.empty), "number"],
          ["Examples", ({ training }) => count(training.examples), "number"],
          ["Epochs", (of) => epochWords(of), "number nowrap"],
          ["Training", ({ training }) => duration(training.seconds), "number nowrap"],
          ["Generating", ({ generation }) => duration(generation.seconds), "number nowrap"],
        ]}
      />
    </TableCard>
  );
}

function shareOf(value: number | null): string {
  return value === null ? "–" : boundedPercent(value);
}

function epochWords({ training }: SystemFigures): string {
  const early = training.stopped_early ? ", stopped early" : "";
  return `${count(training.epochs)} (best ${count(training.best_epoch)}${early})`;
}
