import type { Overview } from "./types";

/** A category's title with its colour; its key where the codebook has it no more. */
export function CategoryName({ of, overview }: { of: string; overview: Pick<Overview, "categories"> }) {
  const found = overview.categories.find(({ key }) => key === of);
  return (
    <span className="category-name">
      <span
        className="swatch"
        aria-hidden="true"
        style={{ background: found ? `var(--span-${found.color})` : "var(--mute)" }}
      />
      {found?.title ?? of}
      {!found && <span className="small mute"> (not in the codebook)</span>}
    </span>
  );
}
