import type { Condition, StageDefinition } from "../../../api/types";
import { opensWords } from "../copy";

const ROW = 34;
const WIDTH = 340;
const BOX = { x: 84, width: 252, height: 26 };
const STEP = 14;

/** Which question opens which: an arc from each one that a condition names to the one that it opens. */
export function Flow({ stages }: { stages: readonly StageDefinition[] }) {
  const places = new Map(stages.map(({ key }, place) => [key, place]));
  const arcs = stages.flatMap((stage, to) =>
    namedIn(stage.open_when).flatMap((key) => {
      const from = places.get(key);
      return from === undefined || from >= to ? [] : [{ from, to }];
    }),
  );
  const words = stages.map((stage) => `${stage.title || stage.key}: ${opensWords(stage, stages)}`).join(" ");
  return (
    <svg
      className="flow"
      viewBox={`0 0 ${WIDTH} ${stages.length * ROW}`}
      role="img"
      aria-label={`The flow of questions. ${words}`}
    >
      {arcs.map(({ from, to }) => (
        <path
          key={`${from}-${to}`}
          d={`M ${BOX.x} ${middle(from)} C ${reach(from, to)} ${middle(from)}, ${reach(from, to)} ${middle(to)}, ${BOX.x - 5} ${middle(to)}`}
        />
      ))}
      {arcs.map(({ to }) => (
        <path key={to} className="tip" d={`M ${BOX.x} ${middle(to)} l -7 -4 l 0 8 z`} />
      ))}
      {stages.map((stage, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may have one key while somebody types.
        <g key={place}>
          <rect x={BOX.x} y={middle(place) - BOX.height / 2} width={BOX.width} height={BOX.height} rx="5" />
          <text x={BOX.x + 9} y={middle(place) + 4}>
            {cut(`${place + 1}. ${stage.title || stage.key}`)}
          </text>
        </g>
      ))}
    </svg>
  );
}

const MOST = 38;

function cut(text: string): string {
  return text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text;
}

function middle(place: number): number {
  return place * ROW + ROW / 2;
}

/** A longer arc reaches farther to the left, so that arcs do not lie on each other. */
function reach(from: number, to: number): number {
  return Math.max(2, BOX.x - 16 - STEP * (to - from));
}

/** The keys of the stages that a condition names, each once. */
function namedIn(condition: Condition | null | undefined): string[] {
  if (!condition) return [];
  if ("stage" in condition) return [condition.stage];
  const parts = "all" in condition ? condition.all : condition.any;
  return [...new Set(parts.flatMap(namedIn))];
}
