import { useId, useMemo, useState } from "react";
import { errorWords } from "../../api/errors";
import { StackedBars } from "../../components/charts/BarCharts";
import type { Axis, Part } from "../../components/charts/model";
import { count } from "../../text/format";
import type { ReportFigure } from "./api";
import { dataAddress, pngOf, saveBlob } from "./downloads";
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

function FigureFiles({ figure: { key, title, svg } }: { figure: ReportFigure }) {
  const [refused, setRefused] = useState<string>();
  const savePng = () => {
    setRefused(undefined);
    pngOf(svg).then(
      (png) => saveBlob(`${key}.png`, png),
      (error) => setRefused(errorWords(error)),
    );
  };
  return (
    <>
      <p className="report-files small">
        <a href={dataAddress("image/svg+xml", svg)} download={`${key}.svg`}>
          SVG <span className="visually-hidden">of “{title}”</span>
        </a>
        <button type="button" className="button quiet inline" onClick={savePng}>
          PNG <span className="visually-hidden">of “{title}”</span>
        </button>
      </p>
      {refused && (
        <p className="small" role="alert">
          The PNG could not be made: {refused} The SVG can.
        </p>
      )}
    </>
  );
}
