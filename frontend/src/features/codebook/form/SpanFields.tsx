import { COLORS, ColorMark } from "../../../annotate/ColorMark";
import type { CodebookDefinition, SpanCategory, SpanLayer } from "../../../api/types";
import { CheckChoices } from "../../../components/Choices";
import { ConfirmButton } from "../../../components/ConfirmButton";
import { Disclosure } from "../../../components/Disclosure";
import { Field } from "../../../components/Field";
import { Select } from "../../../components/Select";
import { EntryLine, type EntryProps } from "./EntryLine";
import { keyFor, moved, replaced, without } from "./edits";
import { MarkdownArea } from "./MarkdownArea";
import { NumberField } from "./NumberField";
import type { ErrorsAt, FormProps } from "./props";
import { useDragOrder } from "./useDragOrder";

const COMMENTS: Record<SpanCategory["comment"], string> = {
  none: "no comment",
  optional: "a comment, if somebody has one",
  required: "a comment each",
};

/** What is typed: the server fills in what is left out. */
type Category = Pick<SpanCategory, "key" | "name"> & Partial<SpanCategory>;

/** The categories of spans that people mark in the text. */
export function SpanFields({ definition, errorsAt, onChange }: FormProps) {
  const layer = definition.span_layer;
  const put = (span_layer: CodebookDefinition["span_layer"]) => onChange({ ...definition, span_layer });
  if (!layer)
    return (
      <section className="card stack" aria-label="Spans">
        <p>People mark no spans with this codebook.</p>
        <div className="row">
          <button type="button" className="button" onClick={() => put(layerOf(null, [newCategory([])]))}>
            Let people mark spans
          </button>
        </div>
      </section>
    );
  return (
    <section className="card stack" aria-labelledby="form-spans">
      <div className="card-head">
        <h2 id="form-spans">Spans</h2>
        <ConfirmButton
          className="button quiet"
          button="Mark no spans"
          title="Remove all categories?"
          act="Remove them"
          danger
          onConfirm={() => put(null)}
        >
          <p>People then mark no spans. Nothing is stored before you save.</p>
        </ConfirmButton>
      </div>
      <Categories layer={layer} errorsAt={errorsAt} onLayer={put} />
    </section>
  );
}

function layerOf(target: string | null, categories: Category[]): SpanLayer {
  return { target, categories: categories as SpanCategory[] };
}

function newCategory(categories: readonly Category[]): Category {
  const taken = categories.map(({ key }) => key);
  const color = COLORS.find((each) => !categories.some((other) => other.color === each)) ?? "blue";
  return { key: keyFor("category", taken, "category"), name: "", color };
}

interface CategoriesProps {
  layer: SpanLayer;
  errorsAt: ErrorsAt;
  onLayer: (layer: SpanLayer) => void;
}

function Categories({ layer, errorsAt, onLayer }: CategoriesProps) {
  const categories: Category[] = layer.categories;
  const path = "span_layer.categories";
  const put = (next: Category[], target = layer.target ?? null) => onLayer(layerOf(target, next));
  const drag = useDragOrder((from, to) => put(moved(categories, from, to)));
  /** A changed key is followed by the target and by what stands within it; null: it is gone. */
  const follow = (next: Category[], old: string, now: string | null) =>
    put(
      next.map((each) => (each.within === old ? { ...each, within: now } : each)),
      layer.target === old ? now : layer.target,
    );
  return (
    <>
      {errorsAt(path)?.map((message) => (
        <p className="error" key={message}>
          {message}
        </p>
      ))}
      <ol className="stack">
        {categories.map((category, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: its key is typed here, and would make the field anew.
          <li key={at} {...drag(at).row}>
            <CategoryFields
              {...{ category, at, categories }}
              entries={categories}
              drag={drag(at)}
              errorsAt={(name) => errorsAt(`${path}[${at}].${name}`)}
              onChange={(now) => follow(replaced(categories, at, now), category.key, now.key)}
              onMove={(to) => put(moved(categories, at, to))}
              onRemove={() => follow(without(categories, at), category.key, null)}
            />
          </li>
        ))}
      </ol>
      <div className="row">
        <button
          type="button"
          className="button"
          onClick={() => put([...categories, newCategory(categories)])}
        >
          Add a category
        </button>
      </div>
      <Select
        label="Target sentences are"
        hint="Of a text that interprets sources: the category whose spans are its targets."
        value={layer.target ?? ""}
        options={[
          { value: "", text: "not marked" },
          ...categories.map(({ key, name }) => ({ value: key, text: name || key })),
        ]}
        errors={errorsAt("span_layer.target")}
        onValue={(key) => put(categories, key || null)}
      />
    </>
  );
}

interface CategoryFieldsProps extends EntryProps {
  category: Category;
  categories: readonly Category[];
  onChange: (category: Category) => void;
}

function CategoryFields({ category, categories, onChange, ...entry }: CategoryFieldsProps) {
  const { at, errorsAt } = entry;
  const change = (part: Partial<Category>) => onChange({ ...category, ...part });
  const name = category.name || `category ${at + 1}`;
  return (
    <div className="form-label">
      <EntryLine
        kind="Category"
        stage={null}
        {...entry}
        mark={<ColorMark color={category.color} />}
        onChange={change}
      >
        <Select
          label="Color"
          value={category.color ?? ""}
          options={[
            ...(category.color ? [] : [{ value: "", text: "one that is free" }]),
            ...COLORS.map((color) => ({ value: color, text: color })),
          ]}
          errors={errorsAt("color")}
          onValue={(color) => change({ color: color as SpanCategory["color"] })}
        />
      </EntryLine>
      <Disclosure title={`Rules and help for ${name}`}>
        <CategoryRules {...{ category, categories, errorsAt, change, name }} />
      </Disclosure>
    </div>
  );
}

interface CategoryRulesProps extends Pick<CategoryFieldsProps, "category" | "categories" | "errorsAt"> {
  name: string;
  change: (part: Partial<Category>) => void;
}

function CategoryRules({ category, categories, errorsAt, change, name }: CategoryRulesProps) {
  return (
    <div className="stack-tight">
      <div className="form-grid">
        <Select
          label="A span of it stands"
          value={category.within ?? ""}
          options={[
            { value: "", text: "anywhere in the text" },
            ...categories
              .filter((other) => other !== category)
              .map((other) => ({ value: other.key, text: `within ${other.name || other.key}` })),
          ]}
          errors={errorsAt("within")}
          onValue={(key) => change({ within: key || null })}
        />
        <Select
          label="It has"
          value={category.comment ?? "none"}
          options={Object.entries(COMMENTS).map(([value, text]) => ({ value, text }))}
          errors={errorsAt("comment")}
          onValue={(comment) => change({ comment: comment as SpanCategory["comment"] })}
        />
        <NumberField
          label="At least"
          hint="In the text, or in each span that it stands within. Empty: none."
          value={category.at_least}
          errors={errorsAt("at_least")}
          onNumber={(at_least) => change({ at_least } as Partial<Category>)}
        />
        <NumberField
          label="At most"
          hint="Empty: any number."
          value={category.at_most}
          errors={errorsAt("at_most")}
          onNumber={(at_most) => change({ at_most } as Partial<Category>)}
        />
        <Field
          label="In the text form"
          hint="Its name in exported texts and in models. Empty: made from the key."
          value={category.marker ?? ""}
          errors={errorsAt("marker")}
          onValue={(marker) => change({ marker: marker || undefined })}
        />
      </div>
      <CheckChoices
        legend="A span of it"
        values={category.refers ? ["refers"] : []}
        choices={[{ value: "refers", text: "names the source document that it means" }]}
        errors={errorsAt("refers")}
        onValues={(values) => change({ refers: values.length > 0 })}
      />
      <MarkdownArea
        label={`When ${name} is right`}
        value={category.help ?? ""}
        rows={2}
        errors={errorsAt("help")}
        onValue={(help) => change({ help })}
      />
    </div>
  );
}
