import { DataTable } from "../../components/DataTable";
import { TableCard } from "../../components/TableCard";
import { csvLink } from "../../text/csv";
import { count, percent } from "../../text/format";
import type { Dataset } from "./api";
import { countsCsv, LENGTHS, lengthsCsv, mean, SPLITS, sized, splitsCsv, spread } from "./tables";

export function Tables({ dataset }: { dataset: Dataset }) {
  return (
    <>
      <Splits dataset={dataset} />
      <Lengths dataset={dataset} />
      <Counts dataset={dataset} />
    </>
  );
}

function Csv({ name, title, csv }: { name: string; title: string; csv: string }) {
  return (
    <a className="button" download={`${name}.csv`} href={csvLink(csv)} aria-label={`Download CSV: ${title}`}>
      Download CSV
    </a>
  );
}

function Splits({ dataset }: { dataset: Dataset }) {
  const title = "Sources and targets by split";
  return (
    <TableCard title={title} about={<Csv name="dataset-splits" title={title} csv={splitsCsv(dataset)} />}>
      <DataTable
        caption={<>Random seed {dataset.random_state}; drawn by source document</>}
        rows={dataset.splits}
        keyOf={({ split }) => split}
        columns={[
          ["Split", ({ split }) => SPLITS[split]],
          ["Source documents", ({ sources }) => count(sources), "number"],
          ["Targets", ({ targets }) => count(targets), "number"],
          ["Mean targets a source", ({ mean_targets: n }) => (n === null ? "–" : mean(n)), "number"],
          ["Most targets of a source", ({ max_targets: n }) => (n === null ? "–" : count(n)), "number"],
        ]}
      />
    </TableCard>
  );
}

function Lengths({ dataset }: { dataset: Dataset }) {
  const title = "Length of sources and targets";
  const sources = dataset.lengths.find((row) => row.what === "words")?.sources ?? null;
  const { splitter } = dataset;
  return (
    <TableCard title={title} about={<Csv name="dataset-lengths" title={title} csv={lengthsCsv(dataset)} />}>
      <DataTable
        caption={
          <>
            Mean (± standard deviation of the sample, by n − 1; of the population, by n).
            {splitter && ` Sentences of sources: ${splitter.name} splitter of spaCy ${splitter.spacy}.`}
          </>
        }
        rows={dataset.lengths}
        keyOf={({ what }) => what}
        columns={[
          ["Count", ({ what }) => LENGTHS[what]],
          [
            `Source documents, ${sized(sources)}`,
            (row) => (row.sources ? spread(row.sources) : "–"),
            "number nowrap",
          ],
          [
            `Targets, ${sized(dataset.lengths[0]?.targets ?? null)}`,
            ({ targets }) => spread(targets),
            "number nowrap",
          ],
        ]}
      />
    </TableCard>
  );
}

function Counts({ dataset }: { dataset: Dataset }) {
  const title = "Categories in a target";
  const { closed_correctly: closed } = dataset;
  return (
    <TableCard title={title} about={<Csv name="dataset-categories" title={title} csv={countsCsv(dataset)} />}>
      <DataTable
        caption="Spans of each category in a target, mean (± standard deviation of the sample; of the population)"
        rows={dataset.counts}
        keyOf={({ key }) => key}
        columns={[
          ["Category", ({ name }) => name],
          ["Spans a target", (row) => spread(row.count), "number nowrap"],
          ["Targets", (row) => count(row.count.n), "number"],
        ]}
      >
        <tr>
          <th scope="row">Closed correctly</th>
          <td className="number">{closed.mean === null ? "–" : percent(closed.mean)}</td>
          <td className="number">{count(closed.n)}</td>
        </tr>
      </DataTable>
    </TableCard>
  );
}
