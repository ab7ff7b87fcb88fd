import { bindFields } from "../../components/bindFields";
import { CheckChoices, RadioChoices } from "../../components/Choices";
import { Field } from "../../components/Field";
import { Select } from "../../components/Select";
import type { Unit } from "./api";
import { FORMATS } from "./formats";
import type { Settings } from "./settings";

interface SettingsFieldsProps {
  settings: Settings;
  errors: Record<string, string[]>;
  change: (part: Partial<Settings>) => void;
}

const FOLDED = ["format", "rows", "min_tokens", "max_tokens", "splitter"];

export function SettingsFields({ settings, errors, change }: SettingsFieldsProps) {
  return (
    <>
      <RadioChoices<Unit>
        legend="What people label, one at a time"
        value={settings.unit}
        choices={[
          {
            value: "sentence",
            text: "Sentences",
            help: "Turns of a ConvoKit corpus are split into sentences. A row of JSONL or CSV is one sentence and stays as it is. “A row of the file is” below can say that it is more.",
          },
          { value: "utterance", text: "Utterances", help: "Each turn of a speaker as a whole." },
          {
            value: "document",
            text: "Documents",
            help: "Each row as a whole, such as an article to mark spans in; spans and sources that a row carries come with it. Not for ConvoKit.",
          },
        ]}
        errors={errors.unit}
        onValue={(unit) => change({ unit })}
      />
      <CheckChoices
        legend="Rows that cannot be imported as they are"
        values={[
          ...(settings.skipBadLines ? ["skip"] : []),
          ...(settings.skipExisting ? ["existing"] : []),
          ...(settings.numberRows ? ["number"] : []),
        ]}
        choices={[
          {
            value: "skip",
            text: "Skip bad lines and import the rest",
            help: "Otherwise one bad line stops the import, nothing is stored, and the report names every bad line.",
          },
          {
            value: "existing",
            text: "Skip rows that the project has already",
            help: "By their ids. The report counts them.",
          },
          {
            value: "number",
            text: "Number rows that have no id",
            help: "The first row of interviews.csv becomes interviews-1.",
          },
        ]}
        errors={errors.skip_bad_lines}
        onValues={(values) =>
          change({
            skipBadLines: values.includes("skip"),
            skipExisting: values.includes("existing"),
            numberRows: values.includes("number"),
          })
        }
      />
      <details className="more" open={FOLDED.some((field) => errors[field]) || undefined}>
        <summary>More settings</summary>
        <div className="form-grid">
          <FoldedFields settings={settings} errors={errors} change={change} />
        </div>
      </details>
    </>
  );
}

function FoldedFields({ settings, errors, change }: SettingsFieldsProps) {
  const field = bindFields(settings, errors, change);
  return (
    <>
      <Select
        label="Format"
        options={Object.entries(FORMATS).map(([value, { title }]) => ({ value, text: title }))}
        {...field("format")}
      />
      <Select
        label="A row of the file is"
        options={[
          { value: "", text: "what people label (ConvoKit: an utterance)" },
          { value: "sentence", text: "a sentence" },
          { value: "utterance", text: "an utterance" },
          { value: "document", text: "a document" },
        ]}
        hint="Rows larger than what people label are split."
        {...field("rows")}
      />
      <Field
        label="Fewest words in a row"
        inputMode="numeric"
        hint="Whitespace tokens. Shorter rows leave the pool and stay as context. Empty: 4 where utterances become sentences, else no limit."
        {...field("minTokens", "min_tokens")}
      />
      <Field
        label="Most words in a row"
        inputMode="numeric"
        hint="Longer rows leave the pool and stay as context. Empty: 500 where people label sentences, else no limit."
        {...field("maxTokens", "max_tokens")}
      />
      <Field
        label="Sentence splitter"
        hint="Empty: rules for English (blank). For another language blank:de, blank:fr and so on, for any blank:xx; sentencizer is spaCy's rules alone. Or an installed spaCy pipeline, such as en_core_web_sm. The report names it."
        {...field("splitter")}
      />
    </>
  );
}
