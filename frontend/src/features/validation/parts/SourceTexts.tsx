import type { ItemPage } from "../api";

/** The documents that the item is about, folded away until they are asked for. */
export function SourceTexts({ sources }: Pick<ItemPage, "sources">) {
  if (sources.length === 0) return null;
  return (
    <section className="card stack" aria-label="Sources">
      {sources.map(({ id, title, external_id, text }) => (
        <details key={id} className="more">
          <summary dir="auto">Source: {title || external_id}</summary>
          <p className="plain-text" dir="auto">
            {text}
          </p>
        </details>
      ))}
    </section>
  );
}
