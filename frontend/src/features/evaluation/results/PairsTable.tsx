import { DataTable } from "../../../components/DataTable";
import { CardFiles } from "../../../components/FileLinks";
import { pWords } from "../../../components/intervals";
import { TableCard } from "../../../components/TableCard";
import { count } from "../../../text/format";
import type { StageFigures } from "../figures";
import type { Names } from "./names";

/** Each two systems on the items that both answered. */
export function PairsTable({ stage: { pairs }, names }: { stage: StageFigures; names: Names }) {
  if (pairs.length === 0) return null;
  return (
    <TableCard
      title="Systems compared in pairs"
      about={
        <p className="table-about">
          Exact McNemar test on the items that both answered. Holm's adjustment is for the number of pairs.
        </p>
      }
    >
      <DataTable
        rows={pairs}
        keyOf={({ first, second }) => `${first} ${second}`}
        columns={[
          ["First and second", ({ first, second }) => `${names.system(first)} – ${names.system(second)}`],
          ["Items", ({ n }) => count(n), "number"],
          ["Only the first is right", ({ first_alone }) => count(first_alone), "number"],
          ["Only the second is right", ({ second_alone }) => count(second_alone), "number"],
          ["p", ({ p }) => pWords(p), "number nowrap"],
          [
            "p, adjusted",
            ({ p_holm }) => (p_holm < 0.05 ? <b>{pWords(p_holm)}</b> : pWords(p_holm)),
            "number nowrap",
          ],
        ]}
      />
      <CardFiles stem="pairs" />
    </TableCard>
  );
}
