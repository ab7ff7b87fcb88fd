import { useState } from "react";
import { type Column, DataTable } from "../../../components/DataTable";
import { CardFiles } from "../../../components/FileLinks";
import { Switch } from "../../../components/Switch";
import { TableCard } from "../../../components/TableCard";
import { count } from "../../../text/format";
import type { Figures, Metrics, ReferenceFigures, RougeMeasure } from "../figures";
import { Score, Share } from "./cells";

type Markers = "with_markers" | "without_markers";

interface Row {
  name: string;
  title: string;
  texts: ReferenceFigures;
  /** Null for the references, which are compared with nothing. */
  metrics: Metrics | null;
}

export const ROUGE: readonly (readonly [RougeMeasure, string])[] = [
  ["rouge1", "ROUGE-1"],
  ["rouge2", "ROUGE-2"],
  ["rougeLsum", "ROUGE-L"],
];

/** The references first, then each system that wrote texts. */
export function textRows({ systems, references }: Figures): Row[] {
  const rows = systems.flatMap(({ name, title, metrics }): Row[] =>
    metrics ? [{ name, title, texts: metrics, metrics }] : [],
  );
  const texts = references ?? rows[0]?.metrics?.references;
  return texts ? [{ name: "", title: "References", texts, metrics: null }, ...rows] : rows;
}

/** The names of the BERTScore figures, each with its encoder. */
export function bertscoreHeads({ systems }: Figures): `BERTScore${string}`[] {
  const names = systems.flatMap(({ metrics }) => Object.keys(metrics ?? {}));
  return [...new Set(names)].filter((name): name is `BERTScore${string}` => name.startsWith("BERTScore"));
}

/** The texts beside their references (the paper's Table 4). */
export function GenerationTable({ figures }: { figures: Figures }) {
  const [markers, setMarkers] = useState<Markers>("with_markers");
  const rows = textRows(figures);
  if (!rows.some(({ metrics }) => metrics)) return null;
  const title = "Generated texts beside their references";
  return (
    <TableCard
      title={title}
      about={
        <>
          <Switch<Markers>
            label="ROUGE"
            value={markers}
            options={[
              { value: "with_markers", text: "With markers" },
              { value: "without_markers", text: "Without markers" },
            ]}
            onValue={setMarkers}
          />
          <p className="table-about">
            ROUGE and BERTScore are F values times 100, of the reference that is nearest. Novel bigrams are
            not in the filtered source. Bigrams are counted without markers. In brackets: 95 % interval over
            texts.
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
          ["Texts", ({ texts }) => count(texts.n), "number"],
          ...ROUGE.map(
            ([measure, head]): Column<Row> => [
              head,
              ({ metrics }) => <Score of={metrics?.rouge[markers][measure]} />,
              "number nowrap",
            ],
          ),
          ...bertscoreHeads(figures).map(
            (head): Column<Row> => [head, ({ metrics }) => <Score of={metrics?.[head]} />, "number nowrap"],
          ),
          ["Distinct bigrams", ({ texts }) => count(texts.distinct_bigrams), "number"],
          ["Novel bigrams", ({ texts }) => <Share of={texts.novel_bigrams} all={texts.n} />, "number nowrap"],
        ]}
      />
      <CardFiles stem="generation" />
    </TableCard>
  );
}
