// The order in which people write a definition; the database keeps keys in an order of its own.
const ORDER = [
  "type",
  "key",
  "name",
  "title",
  "prompt",
  "guidelines",
  "help",
  "examples",
  "marker",
  "color",
  "shortcut",
  "at_least",
  "at_most",
  "comment",
  "within",
  "refers",
  "scale",
  "required",
  "open_when",
  "stage",
  "in",
  "low",
  "high",
  "anchors",
  "min",
  "max",
  "step",
  "unit",
  "least",
  "most",
  "most_characters",
  "answered",
  "labels",
  "positive",
  "stages",
  "learning",
  "span_layer",
  "target",
  "categories",
];

/** The same value with the keys of its objects in reading order, unknown ones last. */
export function inReadingOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inReadingOrder);
  if (typeof value !== "object" || value === null) return value;
  const place = (key: string) => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => place(a) - place(b))
      .map(([key, inner]) => [key, inReadingOrder(inner)]),
  );
}
