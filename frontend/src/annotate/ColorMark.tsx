import type { SpanColor } from "../api/types";
import "./spans/palette.css";
import "./colorMark.css";

/** The names of the palette, in the order in which categories take them. */
export const COLORS: readonly SpanColor[] = [
  ...(["blue", "orange", "green", "purple", "ochre", "teal"] as const),
  ...(["red", "pink", "brown", "grey", "indigo", "lime"] as const),
];

/** The colour of a label or a category beside its name, which says what it is. Without one nothing is drawn. */
export function ColorMark({ color }: { color: SpanColor | null | undefined }) {
  if (!color) return null;
  return <i aria-hidden="true" className="color-mark" style={{ background: `var(--span-${color})` }} />;
}
