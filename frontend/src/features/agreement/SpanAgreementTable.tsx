import type { ReactNode } from "react";
import { ColumnHeads, number } from "../../components/ColumnHeads";
import { bounded, boundedPercent, count, counted } from "../../text/format";
import type { SpanAgreementPage, SpanAgreementRow, SpanFigure } from "./spanApi";
import { categoryName } from "./spanRows";

interface SpanTableProps {
  page: SpanAgreementPage;
  rows: SpanAgreementRow[];
}

export function SpanAgreementTable({ page, rows }: SpanTableProps) {
  const titles = ["Items", "Exact F1", "Overlap F1, any", `Overlap F1, IoU ≥ ${page.iou}`, "Token κ", "αᵤ"];
  return (
    <ByCategory page={page} rows={rows} titles={titles}>
      {(row) => (
        <>
          <td className="number">{count(row.n_items)}</td>
          <Value figure={row.figures.exact_f1} unit="span" />
          <Value
            figure={row.figures.overlap_any_f1}
            unit="span"
            more={sides(row, row.figures.overlap_any_precision, row.figures.overlap_any_recall)}
          />
          <Value
            figure={row.figures.overlap_iou_f1}
            unit="span"
            more={sides(row, row.figures.overlap_iou_precision, row.figures.overlap_iou_recall)}
          />
          <Value figure={row.figures.token_kappa} unit="token" more={beside(row)} />
          <Value figure={row.figures.alpha_u} unit="unit" more={continuum(row)} />
        </>
      )}
    </ByCategory>
  );
}

export function CommentAgreementTable({ page, rows }: SpanTableProps) {
  const titles = ["Exact matches", "Without any comment", "Equal comments", "ROUGE-L"];
  return (
    <ByCategory page={page} rows={rows} titles={titles}>
      {(row) => (
        <>
          <td className="number">{count(row.n_matched)}</td>
          <td className="number">{count(row.n_uncommented)}</td>
          <Value figure={row.figures.comment_equal} unit="match" units="matches" words={boundedPercent} />
          <Value figure={row.figures.comment_rouge_l} unit="match" units="matches" />
        </>
      )}
    </ByCategory>
  );
}

interface ByCategoryProps extends SpanTableProps {
  titles: string[];
  children: (row: SpanAgreementRow) => ReactNode;
}

function ByCategory({ page, rows, titles, children }: ByCategoryProps) {
  return (
    <table className="table agreement of-spans">
      <ColumnHeads of={["Category", ...titles.map((title) => number(title))]} />
      <tbody>
        {rows.map((row) => (
          <tr key={row.category} className={row.category === null ? "total" : undefined}>
            <th scope="row">
              {categoryName(page, row)} {row.category !== null && <code>{row.category}</code>}
            </th>
            {children(row)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ValueProps {
  figure: SpanFigure;
  unit: string;
  units?: string;
  words?: (value: number) => string;
  more?: string | undefined;
}

/** A value with what it stands on, or the reason why there is none. */
function Value({ figure, unit, units, words = threeDecimals, more }: ValueProps) {
  const mean =
    figure.pairs !== null && figure.value !== null ? `mean of ${counted(figure.pairs, "pair")}, ` : "";
  return (
    <td className={figure.value === null ? "number why" : "number"}>
      {figure.value === null ? `undefined: ${figure.reason ?? "no reason given"}` : words(figure.value)}
      {figure.value !== null && (
        <span className="basis">
          {mean}
          {counted(figure.n, unit, units)}
        </span>
      )}
      {more && <span className="basis">{more}</span>}
    </td>
  );
}

function threeDecimals(value: number): string {
  return bounded(value, 3);
}

function sides(row: SpanAgreementRow, precision: SpanFigure, recall: SpanFigure): string | undefined {
  if (row.pair === null || (precision.value === null && recall.value === null)) return undefined;
  return `P ${share(precision)} · R ${share(recall)}`;
}

function share(figure: SpanFigure): string {
  return figure.value === null ? `undefined: ${figure.reason}` : threeDecimals(figure.value);
}

/** Kappa falls where a category is rare: how much is marked, and the plain agreement, always stand beside it. */
function beside({ figures }: SpanAgreementRow): string | undefined {
  const { token_agreement: agreement, token_share: marked } = figures;
  if (agreement.value === null || marked.value === null) return undefined;
  return `${boundedPercent(agreement.value)} equal, ${boundedPercent(marked.value)} marked`;
}

function continuum(row: SpanAgreementRow): string | undefined {
  const parts = row.alpha_items > 0 ? [counted(row.alpha_items, "item")] : [];
  if (row.alpha_merged > 0) parts.push(`${counted(row.alpha_merged, "overlapping span")} merged`);
  const mean = row.figures.alpha_u_pair_mean;
  if (mean.value !== null)
    parts.push(`mean of ${counted(mean.pairs ?? 0, "pair")} ${threeDecimals(mean.value)}`);
  return parts.join("; ") || undefined;
}
