import { useId } from "react";
import { TableScroll } from "../../../components/TableCard";
import { boundedPercent, count, counted } from "../../../components/words";
import type { DetailsPage } from "../api";
import { Download } from "./Download";
import { againstFile } from "./files";
import { nameOf } from "./words";

type Row = DetailsPage["against_majority"]["rows"][number];
/** Which of the two ways to be right: with the label, or as lowest label or not. */
type Way = "accuracy" | "collapsed";

const TITLE = "Each annotator against the majority";

/** The human rows of the paper's Table 4: what a model can be held against. */
export function MajorityCard({ page }: { page: DetailsPage }) {
  const id = useId();
  const { rows } = page.against_majority;
  return (
    <section className="card stack" aria-labelledby={id}>
      <div className="stack-tight">
        <h2 id={id}>{TITLE}</h2>
        <p className="small mute">{aboutWords(page)}</p>
      </div>
      {rows.length === 0 ? (
        <p className="mute">
          No item has a majority label here yet: it takes more than half of an item’s answers.
        </p>
      ) : (
        <>
          <Extremes page={page} way="accuracy" />
          {page.scale === "ordinal" && <Extremes page={page} way="collapsed" />}
          <p className="small mute">
            {counted(page.against_majority.n_items, "item")} with such a majority; ranges are 95 % intervals
            (Wilson).
          </p>
          <TableScroll title={TITLE}>
            <Table page={page} rows={rows} />
          </TableScroll>
          <Download file={againstFile(page)} of={TITLE} />
        </>
      )}
    </section>
  );
}

function aboutWords({ against_majority: { ambiguous }, labels, phase }: DetailsPage): string {
  const names = ambiguous.map((key) => `“${labels.find((label) => label.key === key)?.name ?? key}”`);
  const left = names.length > 0 ? ` that is not ${names.join(" or ")}` : "";
  const own = names.length > 0 ? ` Their own ${names.join(" or ")} counts as wrong.` : "";
  const second = phase === 2 ? " Answers after second looks." : "";
  return (
    `The human rows of the paper’s Table 4, over the items with a majority label${left}, whichever items are ` +
    `chosen above.${own} The annotator’s own answer is one of the votes.${second}`
  );
}

function Extremes({ page, way }: { page: DetailsPage; way: Way }) {
  const { minimum, maximum, collapsed_minimum, collapsed_maximum, rows } = page.against_majority;
  const [low, high] = way === "accuracy" ? [minimum, maximum] : [collapsed_minimum, collapsed_maximum];
  if (low === null || high === null) return null;
  const who = (value: number) =>
    rows.filter((row) => row[way] === value).map(({ annotator }) => nameOf(page, annotator));
  const lowest = page.labels[0]?.name;
  const what = way === "accuracy" ? "" : `, in two classes (“${lowest}” or not)`;
  return (
    <p>
      Human minimum{what}: <b>{boundedPercent(low)}</b> ({listed(who(low))}). Human maximum:{" "}
      <b>{boundedPercent(high)}</b> ({listed(who(high))}).
    </p>
  );
}

/** At most three by name. */
function listed(names: readonly string[]): string {
  const more = names.length - 3;
  return names.slice(0, 3).join(", ") + (more > 0 ? ` and ${counted(more, "other")}` : "");
}

function Table({ page, rows }: { page: DetailsPage; rows: readonly Row[] }) {
  const isOrdered = page.scale === "ordinal";
  const { minimum, maximum } = page.against_majority;
  return (
    <table className="table agreement">
      <thead>
        <tr>
          <th scope="col">Annotator</th>
          <th scope="col" className="number">
            Accuracy
          </th>
          {isOrdered && (
            <th scope="col" className="number">
              In two classes
            </th>
          )}
          <th scope="col" className="number">
            Right
          </th>
          <th scope="col">In the paper</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.annotator}>
            <th scope="row">{nameOf(page, row.annotator)}</th>
            <Accuracy value={row.accuracy} interval={row.interval} />
            {isOrdered && <Accuracy value={row.collapsed} interval={row.collapsed_interval} />}
            <td className="number nowrap">
              {count(row.n_right)} of {count(row.n)}
            </td>
            <td>
              {row.accuracy === minimum && <span className="tag">human min.</span>}{" "}
              {row.accuracy === maximum && <span className="tag">human max.</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Accuracy({ value, interval }: { value: number | null; interval: number[] | null }) {
  if (value === null) return <td className="number why">no item</td>;
  const [low, high] = interval ?? [];
  return (
    <td className="number">
      {boundedPercent(value)}
      {low !== undefined && high !== undefined && (
        <span className="basis">
          {boundedPercent(low)} to {boundedPercent(high)}
        </span>
      )}
    </td>
  );
}
