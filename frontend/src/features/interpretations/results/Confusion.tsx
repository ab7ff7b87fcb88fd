import { Link, useNavigate } from "react-router";
import { DataTable } from "../../../components/DataTable";
import { Disclosure } from "../../../components/Disclosure";
import { CardFiles } from "../../../components/FileLinks";
import { Select } from "../../../components/Select";
import { count, counted, percent } from "../../../text/format";
import type { InterpretationDetail } from "../api";
import type { Cell, Equivalence, Figures, SystemFigures } from "../figures";
import { HeatMap } from "./HeatMap";
import { askedOf, className, confusionStem, evaluationKey, evaluationTitle } from "./names";

interface ConfusionProps {
  interpretation: InterpretationDetail;
  figures: Figures;
  /** The page of this interpretation. */
  here: string;
  system: string;
  evaluation: string;
  onAsk: (part: { system?: string; evaluation?: string }) => void;
}

type Tested = SystemFigures & { equivalence: Equivalence };

/** The mistakes of one system in one evaluation by pairs of classes (the paper's Figure 5). */
export function Confusion({ figures, here, system, evaluation, onAsk }: ConfusionProps) {
  const navigate = useNavigate();
  const tested = figures.systems.filter((each): each is Tested => each.equivalence !== null);
  // The best one is what a reader looks at first.
  const shown = tested.find(({ name }) => name === system) ?? best(tested);
  const matrices = shown?.equivalence.confusion ?? [];
  const matrix = matrices.find((each) => evaluationKey(each) === evaluation) ?? matrices[0];
  if (!shown || !matrix) return null;
  const asked = askedOf(figures, matrix);
  const nameOf = (number: number) => className(asked, number);
  const { cells } = matrix;
  const ofClass = (side: "positive_class" | "negative_class") =>
    [...new Set(cells.map((cell) => cell[side]))].sort((a, b) => a - b);
  const to = (cell: Cell) => {
    const query = new URLSearchParams({
      system: shown.name,
      annotation: matrix.annotation,
      evaluation: matrix.evaluation,
      positive_class: String(cell.positive_class),
      negative_class: String(cell.negative_class),
      ...(cell.mistakes > 0 ? { mistakes: "1" } : {}),
    });
    return `${here}/instances?${query}`;
  };
  const title = `Mistakes of ${shown.title}: ${evaluationTitle(matrix)}`;
  return (
    <section className="card stack" aria-labelledby="confusion">
      <div className="stack-tight">
        <h2 id="confusion">Confusion of classes</h2>
        <p className="small mute">
          {sumWords(cells)} A row is the class of the true continuation, a column that of the false one. A
          deeper shade means a larger share of mistakes; an empty cell has no instance. Arrows move, Enter
          opens a cell's instances.
        </p>
      </div>
      <div className="form-grid">
        <Select
          label="System"
          value={shown.name}
          options={tested.map(({ name, title }) => ({ value: name, text: title }))}
          onValue={(name) => onAsk({ system: name })}
        />
        <Select
          label="Evaluation"
          value={evaluationKey(matrix)}
          options={matrices.map((each) => ({ value: evaluationKey(each), text: evaluationTitle(each) }))}
          onValue={(key) => onAsk({ evaluation: key })}
        />
      </div>
      <HeatMap
        // Another matrix begins at its first cell.
        key={`${shown.name} ${evaluationKey(matrix)}`}
        title={title}
        rows={ofClass("positive_class")}
        columns={ofClass("negative_class")}
        nameOf={nameOf}
        cellAt={(positive, negative) =>
          cells.find((cell) => cell.positive_class === positive && cell.negative_class === negative)
        }
        onOpen={(cell) => void navigate(to(cell))}
      />
      <Disclosure title="The same as a list">
        <DataTable
          title={`${title}, as a list`}
          rows={cells.toSorted((a, b) => b.mistakes - a.mistakes || b.n - a.n)}
          keyOf={(cell) => `${cell.positive_class} ${cell.negative_class}`}
          columns={[
            ["True", ({ positive_class }) => nameOf(positive_class)],
            ["False", ({ negative_class }) => nameOf(negative_class)],
            ["Mistakes", ({ mistakes }) => count(mistakes), "number"],
            ["Instances", ({ n }) => count(n), "number"],
            [
              "Look",
              (cell) => (
                <Link to={to(cell)}>
                  {counted(cell.n, "instance")}
                  <span className="visually-hidden">
                    {" "}
                    of {nameOf(cell.positive_class)} against {nameOf(cell.negative_class)}
                  </span>
                </Link>
              ),
              "nowrap",
            ],
          ]}
        />
      </Disclosure>
      <CardFiles stem={confusionStem(figures, shown.name, matrix)} />
    </section>
  );
}

function best(tested: readonly Tested[]): Tested | undefined {
  return tested.toSorted((a, b) => (b.equivalence.main_mean ?? 0) - (a.equivalence.main_mean ?? 0))[0];
}

/** "12 of 88 instances are mistakes (13.6 %)." */
function sumWords(cells: readonly Cell[]): string {
  const n = cells.reduce((sum, cell) => sum + cell.n, 0);
  const mistakes = cells.reduce((sum, cell) => sum + cell.mistakes, 0);
  return `${count(mistakes)} of ${counted(n, "instance")} are mistakes (${percent(n === 0 ? 0 : mistakes / n)}).`;
}
