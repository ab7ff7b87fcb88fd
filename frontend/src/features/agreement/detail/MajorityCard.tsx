import { useId } from "react";
import type { DetailsPage } from "../../../api/agreement";
import { ColumnHeads, number } from "../../../components/ColumnHeads";
import { TableScroll } from "../../../components/TableCard";
import { boundedPercent, count, counted } from "../../../text/format";
import { nameOf } from "./copy";
import { Download } from "./Download";
import { againstFile } from "./files";

type Compared = DetailsPage["leave_one_out"];
type Row = Compared["rows"][number];
/** Which of the two ways to be right: with the label, or as lowest label or not. */
type Way = "accuracy" | "collapsed";

const TITLE = "Each annotator against the others";

/** How often one person is right: held against the majority of the others, and against everyone's. */
export function MajorityCard({ page }: { page: DetailsPage }) {
  const id = useId();
  const { against_majority: own, leave_one_out: others } = page;
  return (
    <section className="card stack" aria-labelledby={id}>
      <div className="stack-tight">
        <h2 id={id}>{TITLE}</h2>
        <p className="small mute">{aboutWords(page)}</p>
      </div>
      {others.rows.length === 0 ? (
        <p className="mute">Nobody has answered here yet.</p>
      ) : (
        <>
          <Part page={page} title="Against the majority of the others" of={others}>
            {OTHERS}
          </Part>
          <Part page={page} title="Against everyone’s majority, their own vote included" of={own}>
            {ownWords(page)}
          </Part>
          <Download file={againstFile(page)} of={TITLE} />
        </>
      )}
    </section>
  );
}

const OTHERS =
  "Over all items: the label that more than half of an item’s other answers are. Where two people answered, that is " +
  "the other person’s answer; where three did, the label that both others gave.";

function ownWords({ against_majority: { n_items, n_circular } }: DetailsPage): string {
  const circular =
    n_circular > 0
      ? ` ${counted(n_circular, "item")} of them ${n_circular === 1 ? "has" : "have"} just as many answers as a ` +
        "majority takes: everyone is right there by construction."
      : "";
  return (
    `${counted(n_items, "item")} with a majority. It holds the annotator’s own vote, so that these shares are higher ` +
    `than those above by construction.${circular}`
  );
}

function aboutWords({ against_majority: { ambiguous }, labels, phase }: DetailsPage): string {
  const names = ambiguous.map((key) => `“${labels.find((label) => label.key === key)?.name ?? key}”`);
  const left = names.length > 0 ? `Majorities of ${names.join(" or ")} are left out. ` : "";
  const own = names.length > 0 ? `An annotator’s own ${names.join(" or ")} counts as wrong. ` : "";
  const second = phase === 2 ? "Answers after second looks. " : "";
  return `Whichever items are chosen above. ${left}${own}${second}Ranges are 95 % intervals (Wilson).`;
}

interface PartProps {
  page: DetailsPage;
  title: string;
  of: Compared;
  children: string;
}

function Part({ page, title, of, children }: PartProps) {
  return (
    <div className="stack-tight">
      <h3>{title}</h3>
      <p className="small mute">{children}</p>
      {of.rows.length === 0 ? (
        <p className="mute">
          No item has a majority label here yet: it takes more than half of an item’s answers.
        </p>
      ) : (
        <>
          <Extremes page={page} of={of} way="accuracy" />
          {page.scale === "ordinal" && <Extremes page={page} of={of} way="collapsed" />}
          <TableScroll title={title}>
            <Table page={page} of={of} />
          </TableScroll>
        </>
      )}
    </div>
  );
}

function Extremes({ page, of, way }: { page: DetailsPage; of: Compared; way: Way }) {
  const [low, high] =
    way === "accuracy" ? [of.minimum, of.maximum] : [of.collapsed_minimum, of.collapsed_maximum];
  if (low === null || high === null) return null;
  const who = (value: number) =>
    of.rows.filter((row) => row[way] === value).map(({ annotator }) => nameOf(page, annotator));
  const lowest = page.labels[0]?.name;
  const what = way === "accuracy" ? "" : ` in two classes (“${lowest}” or not)`;
  return (
    <p>
      Lowest annotator{what}: <b>{boundedPercent(low)}</b> ({listed(who(low))}). Highest:{" "}
      <b>{boundedPercent(high)}</b> ({listed(who(high))}).
    </p>
  );
}

/** At most three by name. */
function listed(names: readonly string[]): string {
  const more = names.length - 3;
  return names.slice(0, 3).join(", ") + (more > 0 ? ` and ${counted(more, "other")}` : "");
}

function Table({ page, of }: { page: DetailsPage; of: Compared }) {
  const isOrdered = page.scale === "ordinal";
  return (
    <table className="table agreement">
      <ColumnHeads
        of={[
          "Annotator",
          number("Accuracy"),
          ...(isOrdered ? [number("In two classes")] : []),
          number("Right"),
          "Among annotators",
        ]}
      />
      <tbody>
        {of.rows.map((row) => (
          <tr key={row.annotator}>
            <th scope="row">{nameOf(page, row.annotator)}</th>
            <Accuracy row={row} value={row.accuracy} interval={row.interval} />
            {isOrdered && <Accuracy row={row} value={row.collapsed} interval={row.collapsed_interval} />}
            <td className="number nowrap">
              {count(row.n_right)} of {count(row.n)}
              {row.n_circular > 0 && (
                <span className="basis">{count(row.n_circular)} right by construction</span>
              )}
            </td>
            <td>
              {row.accuracy !== null && row.accuracy === of.minimum && <span className="tag">lowest</span>}{" "}
              {row.accuracy !== null && row.accuracy === of.maximum && <span className="tag">highest</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface AccuracyProps {
  row: Row;
  value: number | null;
  interval: number[] | null;
}

function Accuracy({ row, value, interval }: AccuracyProps) {
  if (value === null) return <td className="why">No figure: {row.reason}.</td>;
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
