import { memo } from "react";
import type { Factoid } from "../../../../api/factoids";
import { type Answered, type Atomicity, answerIn, standingOf, type Texts } from "../model/views";
import { ANSWERED, rowId } from "../useBench";

/** The small matrix: few texts have wide cells, and many narrow ones. */
const WIDTH = 250;
const CELLS = { narrow: 5, wide: 14 };
const HEIGHT = 12;

/** In which texts a factoid stands, as a row of the matrix; the words beside it say how many. */
const Matrix = memo(function Matrix({ isIn, place }: { isIn: readonly boolean[]; place: number }) {
  const cell = Math.max(CELLS.narrow, Math.min(CELLS.wide, Math.floor(WIDTH / isIn.length)));
  const square = (at: number) => `M${at * cell} 0h${cell - 1}v${HEIGHT}h-${cell - 1}z`;
  const paths = { there: "", not: "" };
  isIn.forEach((is, at) => {
    paths[is ? "there" : "not"] += square(at);
  });
  const width = isIn.length * cell;
  return (
    <svg
      className="matrix"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      aria-hidden="true"
    >
      <path className="not" d={paths.not} />
      <path d={paths.there} />
      <path className="here" d={square(place)} />
    </svg>
  );
});

interface RowProps {
  factoid: Factoid;
  texts: Texts;
  isActive: boolean;
  /** The first that Tab reaches. */
  isEntry: boolean;
  /** The place of the text at hand. */
  place: number;
  /** Ids of those in the same texts, in words; empty where there are none. */
  alike: string;
  isInAll: boolean;
  isInNone: boolean;
  /** For an annotation: what was said about the text at hand. */
  answer: Answered | null;
  onChoose: (key: string) => void;
}

const Row = memo(function Row(props: RowProps) {
  const { factoid, texts, isActive, isEntry, place, answer, onChoose } = props;
  const { isIn, count } = standingOf(texts, factoid);
  return (
    <li id={rowId(factoid.key)} className={`factoid-row${isActive ? " active" : ""} ${answer ?? ""}`}>
      <button
        type="button"
        aria-current={isActive ? "true" : undefined}
        tabIndex={isEntry ? 0 : -1}
        onClick={() => onChoose(factoid.key)}
      >
        <b className="factoid-id">{factoid.id}</b>
        <span className="factoid-words" dir="auto">
          {factoid.description || <i className="mute">no description</i>}
        </span>
        {answer && <span className={`tag ${TONES[answer]}`}>{ANSWERED[answer]}</span>}
        <span className="factoid-where">
          <Matrix isIn={isIn} place={place} />
          <span className="small mute">
            in {count} of {isIn.length}
          </span>
          <Marks {...props} />
        </span>
      </button>
    </li>
  );
});

const TONES: Record<Answered, string> = { here: "ok", absent: "", undecided: "warn" };

function Marks({ alike, isInAll, isInNone }: RowProps) {
  if (isInAll) return <span className="tag warn">in all texts</span>;
  if (isInNone) return <span className="tag warn">in no text</span>;
  return alike === "" ? null : <span className="tag warn alike">same texts as {alike}</span>;
}

interface FactoidRowsProps {
  factoids: readonly Factoid[];
  texts: Texts;
  active: string | null;
  place: number;
  atomicity: Atomicity;
  /** In an annotation the list is given: what distinguishes nothing is not the annotator's to mend. */
  isAnnotation: boolean;
  onChoose: (key: string) => void;
}

/** The list, or what of it is shown. One of its rows is reached by Tab, the others by keys. */
export const FactoidRows = memo(function FactoidRows(props: FactoidRowsProps) {
  const { factoids, texts, active, place, atomicity, isAnnotation, onChoose } = props;
  const entry = factoids.some(({ key }) => key === active) ? active : factoids[0]?.key;
  return (
    <ul className="factoid-rows" aria-label="Factoids">
      {factoids.map((factoid) => (
        <Row
          key={factoid.key}
          factoid={factoid}
          texts={texts}
          isActive={factoid.key === active}
          isEntry={factoid.key === entry}
          place={place}
          alike={isAnnotation ? "" : named(atomicity.alike.get(factoid.key))}
          isInAll={!isAnnotation && atomicity.inAll.has(factoid.key)}
          isInNone={!isAnnotation && atomicity.inNone.has(factoid.key)}
          answer={isAnnotation ? answerIn(texts, factoid, place) : null}
          onChoose={onChoose}
        />
      ))}
    </ul>
  );
});

/** Some of many: a row has one line for them. */
function named(ids: readonly string[] = []): string {
  return ids.length > 4 ? `${ids.slice(0, 3).join(", ")} and ${ids.length - 3} more` : ids.join(", ");
}
