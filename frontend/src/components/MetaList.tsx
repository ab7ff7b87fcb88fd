import "./meta.css";

/** What came with a text, column by column, each value as what it is. */
export function MetaList({ fields }: { fields: readonly { name: string; value?: unknown }[] | undefined }) {
  // An item that an earlier version of the page kept has none.
  if (!fields?.length) return null;
  return (
    <dl className="meta-list">
      {fields.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{valueWords(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A list is shown as its values, what is nested deeper as JSON. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(value).replace(/^-/, "−");
  if (Array.isArray(value) && value.every(isPlain)) return value.map(valueWords).join(", ") || "–";
  return JSON.stringify(value);
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}
