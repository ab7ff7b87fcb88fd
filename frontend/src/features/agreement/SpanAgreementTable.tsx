import { coefficient, count, counted, percent } from "../../components/words";
import type { SpanAgreementPage, SpanAgreementRow, SpanFigure } from "./spanApi";
import { categoryName } from "./spanRows";

interface SpanAgreementTableProps {
  page: SpanAgreementPage;
  rows: SpanAgreementRow[];
}

export function SpanAgreementTable({ page, rows }: SpanAgreementTableProps) {
  return (
    <table className="table agreement">
      <thead>
        <tr>
          <th scope="col">Category</th>
          {["Items", "Exact F1", "Overlap F1, any", `Overlap F1, IoU ≥ ${page.iou}`, "Token κ", "α_u"].map(
            (title) => (
              <th key={title} scope="col" className="number">
                {title}
              </th>
            ),
          )}
          <th scope="col" className="number">
            Equal comments
          </th>
          <th scope="col" className="number">
            ROUGE-L
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.category} className={row.category === null ? "total" : undefined}>
            <th scope="row">
              {categoryName(page, row)} {row.category !== null && <code>{row.category}</code>}
            </th>
            <td className="number">{count(row.n_items)}</td>
            <Cells row={row} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cells({ row }: { row: SpanAgreementRow }) {
  const { figures } = row;
  return (
    <>
      <Value figure={figures.exact_f1} unit="span" />
      <Value
        figure={figures.overlap_any_f1}
        unit="span"
        more={sides(row, figures.overlap_any_precision, figures.overlap_any_recall)}
      />
      <Value
        figure={figures.overlap_iou_f1}
        unit="span"
        more={sides(row, figures.overlap_iou_precision, figures.overlap_iou_recall)}
      />
      <Value figure={figures.token_kappa} unit="token" more={beside(row)} />
      <Value figure={figures.alpha_u} unit="unit" more={continuum(row)} />
      <Value
        figure={figures.comment_equal}
        unit="match"
        units="matches"
        words={percent}
        more={uncommented(row)}
      />
      <Value figure={figures.comment_rouge_l} unit="match" units="matches" />
    </>
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
  return coefficient(value, 3);
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
  return `${percent(agreement.value)} equal, ${percent(marked.value)} marked`;
}

function continuum(row: SpanAgreementRow): string | undefined {
  const parts = row.alpha_items > 0 ? [counted(row.alpha_items, "item")] : [];
  if (row.alpha_merged > 0) parts.push(`${counted(row.alpha_merged, "overlapping span")} merged`);
  const mean = row.figures.alpha_u_pairs;
  if (mean.value !== null)
    parts.push(`mean of ${counted(mean.pairs ?? 0, "pair")} ${threeDecimals(mean.value)}`);
  return parts.join("; ") || undefined;
}

function uncommented(row: SpanAgreementRow): string | undefined {
  return row.n_uncommented > 0 ? `${count(row.n_uncommented)} more without any comment` : undefined;
}
