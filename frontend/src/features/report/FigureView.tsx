import { useId, useMemo } from "react";
import { at } from "../../browser/base";
import { StackedBars } from "../../components/charts/BarCharts";
import type { Axis, Part } from "../../components/charts/model";
import { useProject } from "../../session/project";
import { count } from "../../text/format";
import { FIGURE_FORMATS, figurePath, type ReportFigure } from "./api";
import { Grid } from "./Grid";
import { TableFiles } from "./TableFiles";
import { Head, Notes } from "./Tables";

/** One figure: drawn on the page, its numbers behind it, and the drawing for paper to take away. */
export function FigureView({ figure }: { figure: ReportFigure }) {
  const id = useId();
  return (
    <article className="card stack chart-figure" aria-labelledby={id}>
      <Head id={id} of={figure} />
      {figure.missing ? <p>{figure.missing}</p> : <Drawn figure={figure} />}
    </article>
  );
}

function Drawn({ figure }: { figure: ReportFigure }) {
  const parts = useMemo(() => figure.parts.map(partOf), [figure]);
  const y = useMemo(() => axisOf(figure), [figure]);
  return (
    <>
      <StackedBars
        label={figure.alternative}
        stacks={figure.bars}
        parts={parts}
        y={y}
        xName={figure.x_name}
      />
      <Notes notes={figure.notes} />
      <FigureFiles figure={figure} />
      <details className="more">
        <summary>
          The numbers <span className="visually-hidden">of “{figure.title}”</span>
        </summary>
        <Grid table={figure.table} />
        <TableFiles table={figure.table} />
      </details>
    </>
  );
}

function partOf({ key, label, quiet }: ReportFigure["parts"][number]): Part {
  return quiet ? { key, label, tone: "quiet" } : { key, label };
}

function axisOf({ y_name, is_share }: ReportFigure): Axis {
  if (is_share) return { name: y_name, min: 0, max: 1, words: (value) => `${Math.round(100 * value)} %` };
  return { name: y_name, min: 0, isWhole: true, words: count };
}

function FigureFiles({ figure: { key, title } }: { figure: ReportFigure }) {
  const { id } = useProject();
  return (
    <p className="report-files small">
      {FIGURE_FORMATS.map((format) => (
        <a key={format} href={at(figurePath(id, key, format))} download={`${key}.${format}`}>
          {format.toUpperCase()} <span className="visually-hidden">of “{title}”</span>
        </a>
      ))}
    </p>
  );
}
