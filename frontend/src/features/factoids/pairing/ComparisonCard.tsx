import { DataTable } from "../../../components/DataTable";
import { TableCard } from "../../../components/TableCard";
import { counted } from "../../../text/format";
import { RELATION_HELP, RELATION_WORDS, RELATIONS } from "../copy";
import { FileLinks } from "../FileLinks";
import type { Comparison, LinkKind, Pairing } from "../types";

const COLUMNS: [LinkKind, string][] = [
  ["strong", "Paired"],
  ["A<-B", "A ← B"],
  ["A->B", "A → B"],
  ["unlinked", "No link"],
];

/** Name, what it is a share of, and what the paper has. */
const RATES: [keyof Comparison["rates"], string, string][] = [
  ["equal_strong", "Equal pairs that are paired", ".824"],
  ["equal_unlinked", "Equal pairs without a link", ".044"],
  ["subsumption_linked", "Subsumptions with a strong or weak link", ".698"],
  ["strong_unrelated", "Judged paired ones that are unrelated", ".034"],
  ["weak_unrelated", "Judged weak ones that are unrelated", ".149"],
];

/** Figure 4 of the paper: how the machine's links compare with people's judgements. */
export function ComparisonCard({ pairing }: { pairing: Pairing }) {
  const { table, rates, n_not_judged } = pairing.comparison;
  const files = { set: pairing.set.id, of: { pairing: pairing.id } };
  return (
    <TableCard
      title="Links and judgements"
      about={
        <span className="small mute">
          {n_not_judged === 0
            ? "Every link is judged."
            : `${counted(n_not_judged, "link")} not judged, and in no cell.`}
        </span>
      }
    >
      <DataTable
        label="Judged pairs by relation and link"
        rows={RELATIONS}
        keyOf={(relation) => relation}
        columns={[
          [
            "Judged",
            (relation) => (
              <>
                {RELATION_WORDS[relation]} <span className="basis mute small">{RELATION_HELP[relation]}</span>
              </>
            ),
          ],
          ...COLUMNS.map(
            ([kind, title]) =>
              [title, (relation: keyof typeof table) => table[relation][kind], "number"] as const,
          ),
        ]}
      />
      <DataTable
        label="Rates"
        className="rates"
        rows={RATES}
        keyOf={([name]) => name}
        columns={[
          ["Share", ([, words]) => words],
          ["Here", ([name]) => rateWords(rates[name]), "number"],
          ["In the paper", ([, , paper]) => paper, "number"],
        ]}
      />
      <p className="card-files small">
        <FileLinks {...files} name="pairing" title="Links" />
        <FileLinks {...files} name="relations" title="Relations by link" />
        <FileLinks {...files} name="rates" title="Rates" />
      </p>
    </TableCard>
  );
}

function rateWords(rate: number | null): string {
  return rate === null ? "nothing judged" : rate.toFixed(3);
}
