import { useState } from "react";
import { type Column, DataTable } from "../../../components/DataTable";
import { CardFiles } from "../../../components/FileLinks";
import { Switch } from "../../../components/Switch";
import { TableCard } from "../../../components/TableCard";
import { count } from "../../../text/format";
import type { Choices } from "../api";
import { parameterWords } from "../copy";
import type { Figures, SystemFigures } from "../figures";
import { MeanAccuracy, Score } from "./cells";
import { bertscoreHeads, ROUGE } from "./GenerationTable";

type Order = "parameters" | "filter" | "budget";

const ORDERS: Record<
  Order,
  { title: string; stem: string; compare: (a: SystemFigures, b: SystemFigures) => number }
> = {
  parameters: { title: "By parameters", stem: "sizes", compare: (a, b) => a.parameters - b.parameters },
  filter: {
    ...{ title: "By filter", stem: "filters" },
    compare: (a, b) => sameModel(a, b) || a.filter.localeCompare(b.filter),
  },
  budget: {
    ...{ title: "By input tokens", stem: "budgets" },
    compare: (a, b) => sameModel(a, b) || a.filter.localeCompare(b.filter) || a.budget - b.budget,
  },
};

function sameModel(a: SystemFigures, b: SystemFigures): number {
  return a.kind.localeCompare(b.kind) || a.model.localeCompare(b.model);
}

/** The same systems by what they differ in (the paper's Tables 7 to 9). */
export function SystemsTable({ figures, choices }: { figures: Figures; choices: Choices | undefined }) {
  const [order, setOrder] = useState<Order>("parameters");
  const rows = figures.systems.toSorted(ORDERS[order].compare);
  const filterTitle = (name: string) => choices?.filters.find((each) => each.name === name)?.title ?? name;
  const title = "Systems by size, filter and length";
  return (
    <TableCard
      title={title}
      about={
        <>
          <Switch<Order>
            label="Order"
            value={order}
            options={(Object.keys(ORDERS) as Order[]).map((value) => ({ value, text: ORDERS[value].title }))}
            onValue={setOrder}
          />
          <p className="table-about">
            The mean accuracy is of the evaluations that are not in depth. ROUGE is with markers.
          </p>
        </>
      }
    >
      <DataTable
        label={title}
        className="accuracies"
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          ["System", ({ title }) => title],
          ["Parameters", ({ parameters }) => parameterWords(parameters), "number nowrap"],
          ["Filter", ({ filter }) => filterTitle(filter)],
          ["Input tokens", ({ budget }) => count(budget), "number"],
          [
            "Mean accuracy",
            ({ equivalence }) => <MeanAccuracy value={equivalence?.main_mean} />,
            "number nowrap",
          ],
          ...ROUGE.map(
            ([measure, head]): Column<SystemFigures> => [
              head,
              ({ metrics }) => <Score of={metrics?.rouge.with_markers[measure]} />,
              "number nowrap",
            ],
          ),
          ...bertscoreHeads(figures).map(
            (head): Column<SystemFigures> => [
              head,
              ({ metrics }) => <Score of={metrics?.[head]} />,
              "number nowrap",
            ],
          ),
          ["Distinct bigrams", ({ metrics }) => (metrics ? count(metrics.distinct_bigrams) : "–"), "number"],
        ]}
      />
      <CardFiles stem={ORDERS[order].stem} />
    </TableCard>
  );
}
