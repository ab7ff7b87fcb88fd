import { ColumnHeads, number } from "../../components/ColumnHeads";
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
      <table className="table">
        <caption>Random seed {dataset.random_state}; drawn by source document</caption>
        <ColumnHeads
          of={[
            "Split",
            number("Source documents"),
            number("Targets"),
            number("Mean targets a source"),
            number("Most targets of a source"),
          ]}
        />
        <tbody>
          {dataset.splits.map((row) => (
            <tr key={row.split}>
              <th scope="row">{SPLITS[row.split]}</th>
              <td className="number">{count(row.sources)}</td>
              <td className="number">{count(row.targets)}</td>
              <td className="number">{row.mean_targets === null ? "–" : mean(row.mean_targets)}</td>
              <td className="number">{row.max_targets === null ? "–" : count(row.max_targets)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableCard>
  );
}

function Lengths({ dataset }: { dataset: Dataset }) {
  const title = "Length of sources and targets";
  const sources = dataset.lengths.find((row) => row.what === "words")?.sources ?? null;
  const { splitter } = dataset;
  return (
    <TableCard title={title} about={<Csv name="dataset-lengths" title={title} csv={lengthsCsv(dataset)} />}>
      <table className="table">
        <caption>
          Mean (± standard deviation of the sample, by n − 1; of the population, by n).
          {splitter && ` Sentences of sources: ${splitter.name} splitter of spaCy ${splitter.spacy}.`}
        </caption>
        <ColumnHeads
          of={[
            "Count",
            number(`Source documents, ${sized(sources)}`),
            number(`Targets, ${sized(dataset.lengths[0]?.targets ?? null)}`),
          ]}
        />
        <tbody>
          {dataset.lengths.map((row) => (
            <tr key={row.what}>
              <th scope="row">{LENGTHS[row.what]}</th>
              <td className="number nowrap">{row.sources ? spread(row.sources) : "–"}</td>
              <td className="number nowrap">{spread(row.targets)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableCard>
  );
}

function Counts({ dataset }: { dataset: Dataset }) {
  const title = "Categories in a target";
  const { closed_correctly: closed } = dataset;
  return (
    <TableCard title={title} about={<Csv name="dataset-categories" title={title} csv={countsCsv(dataset)} />}>
      <table className="table">
        <caption>
          Spans of each category in a target, mean (± standard deviation of the sample; of the population)
        </caption>
        <ColumnHeads of={["Category", number("Spans a target"), number("Targets")]} />
        <tbody>
          {dataset.counts.map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.name}</th>
              <td className="number nowrap">{spread(row.count)}</td>
              <td className="number">{count(row.count.n)}</td>
            </tr>
          ))}
        </tbody>
        <tbody>
          <tr>
            <th scope="row">Closed correctly</th>
            <td className="number">{closed.mean === null ? "–" : percent(closed.mean)}</td>
            <td className="number">{count(closed.n)}</td>
          </tr>
        </tbody>
      </table>
    </TableCard>
  );
}
