import { type Column, DataTable } from "../../../components/DataTable";
import { CardFiles } from "../../../components/FileLinks";
import { TableCard } from "../../../components/TableCard";
import { coefficient } from "../../../text/format";
import type { CategoryCount, Figures } from "../figures";
import { Share } from "./cells";
import { textRows } from "./GenerationTable";

type Row = ReturnType<typeof textRows>[number];

/** How often each category is marked in a text (the paper's Table 5). */
export function CategoriesTable({ figures }: { figures: Figures }) {
  const rows = textRows(figures);
  const categories = [...new Set(rows.flatMap(({ texts }) => Object.keys(texts.categories)))];
  if (categories.length === 0) return null;
  const title = "Marked spans in a text";
  return (
    <TableCard
      title={title}
      about={
        <p className="table-about">
          Spans of each category that were opened and closed: the mean of a text. Below it: ± the standard
          deviation of the population, by n, as in the paper; in parentheses that of the sample, by n − 1.
          Closed correctly is the share of start markers; texts without one are left out.
        </p>
      }
    >
      <DataTable
        label={title}
        className="accuracies"
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          ["System", ({ title }) => title],
          ...categories.map(
            (category): Column<Row> => [
              category,
              ({ texts }) => <Counted of={texts.categories[category]} />,
              "number nowrap",
            ],
          ),
          [
            "Closed correctly",
            ({ texts }) => <Share of={texts.closed_correctly} all={texts.n} />,
            "number nowrap",
          ],
        ]}
      />
      <CardFiles stem="categories" />
    </TableCard>
  );
}

function Counted({ of }: { of: CategoryCount | undefined }) {
  if (!of) return coefficient(0);
  return (
    <>
      {coefficient(of.mean)}
      <span className="basis">
        ± {coefficient(of.population_sd)} ({of.sample_sd === null ? "–" : coefficient(of.sample_sd)})
      </span>
    </>
  );
}
