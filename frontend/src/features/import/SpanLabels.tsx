import { Notes } from "../../components/Labelled";
import { Select } from "../../components/Select";
import { counted } from "../../text/format";
import type { ImportPreview } from "./api";

interface SpanLabelsProps {
  preview: ImportPreview;
  chosen: Record<string, string>;
  errors: string[] | undefined;
  change: (categories: Record<string, string>) => void;
}

type FoundLabel = ImportPreview["labels"][number];

/** No key of a category has a sign, so that this is none of them. */
const NONE_YET = "?";

/** Which label of the file's spans becomes which category of the codebook, to be changed. */
export function SpanLabels({ preview: { labels, categories }, chosen, errors, change }: SpanLabelsProps) {
  const left = labels.filter(({ category }) => category === null);
  if (categories.length === 0)
    return (
      <p className="notice bad">
        The file marks spans, and the published codebook has no categories of spans. Publish one with a span
        layer first.
      </p>
    );
  return (
    <section className="stack" aria-labelledby="span-labels">
      <h4 id="span-labels">What the labels of spans become</h4>
      <p className="small mute">
        The spans come in as marks: annotators start from them, and no annotation counts them. Labels with the
        key or the name of a category are matched by themselves.
      </p>
      {left.length > 0 && (
        <p className="notice bad">
          {counted(left.length, "label")} of the file {left.length === 1 ? "is" : "are"} no category of the
          codebook: {left.map(({ name }) => name).join(", ")}. Choose what each becomes.
        </p>
      )}
      {errors && <Notes id="span-labels" errors={errors} />}
      <div className="form-grid">
        {labels.map((label) => (
          <Select
            key={label.name}
            label={label.name}
            value={chosen[label.name] ?? label.category ?? NONE_YET}
            options={optionsOf(label, categories)}
            hint={counted(label.n, "span")}
            onValue={(category) => change({ ...chosen, [label.name]: category })}
          />
        ))}
      </div>
    </section>
  );
}

function optionsOf(label: FoundLabel, categories: ImportPreview["categories"]) {
  return [
    ...(label.category === null ? [{ value: NONE_YET, text: "Choose a category" }] : []),
    ...categories.map(({ key, name }) => ({ value: key, text: name })),
    { value: "", text: "Left out" },
  ];
}
