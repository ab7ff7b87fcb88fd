import { pointWords } from "./lineOption";
import { type Axis, type Part, type Reference, type Series, toneOf } from "./model";
import { DASHES, levelDash } from "./palette";

interface LineKeysProps {
  series: readonly Series[];
  references?: readonly Reference[];
  y: Axis;
}

/** Which line is whose: by colour and by dashes. One line alone is named by its chart. */
export function LineKeys({ series, references = [], y }: LineKeysProps) {
  const named = series.length > 1 ? series : [];
  if (named.length === 0 && references.length === 0) return null;
  return (
    <ul className="chart-keys">
      {named.map((each, place) => (
        <li key={each.label}>
          <svg viewBox="0 0 28 10" aria-hidden="true">
            <line
              x1="0"
              x2="28"
              y1="5"
              y2="5"
              strokeWidth="2"
              stroke={`var(--tone-${toneOf(each.tone, place)})`}
              strokeDasharray={(each.dashed ? [4, 4] : DASHES[toneOf(each.tone, place)])?.join(" ")}
            />
          </svg>
          {each.label}
        </li>
      ))}
      {references.map((reference, place) => (
        <li key={reference.label}>
          <svg viewBox="0 0 28 10" aria-hidden="true">
            <line
              x1="0"
              x2="28"
              y1="5"
              y2="5"
              strokeWidth="1.25"
              stroke="var(--ink)"
              strokeDasharray={levelDash(place).join(" ")}
            />
          </svg>
          {reference.label}: {pointWords(reference, y)}
        </li>
      ))}
    </ul>
  );
}

export function PartKeys({ parts }: { parts: readonly Part[] }) {
  return (
    <ul className="chart-keys">
      {parts.map((part, place) => (
        <li key={part.key}>
          <svg viewBox="0 0 12 12" className="square" aria-hidden="true">
            <rect width="12" height="12" rx="2" fill={partFill(part, place)} />
          </svg>
          {part.label}
        </li>
      ))}
    </ul>
  );
}

function partFill(part: Part, place: number): string {
  return `var(--tone-${part.tone === "quiet" ? "quiet" : toneOf(part.tone, place)})`;
}
