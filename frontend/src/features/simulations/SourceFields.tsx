import { useId } from "react";
import { ROW_FILES } from "../../api/upload";
import { bindFields } from "../../components/bindFields";
import { RadioChoices } from "../../components/Choices";
import { Field } from "../../components/Field";
import { Notes } from "../../components/Labelled";
import { Select } from "../../components/Select";
import { count, counted } from "../../text/format";
import type { StageChoice } from "./api";

import { linesIn, type PartProps } from "./spec";

/** Where the labelled texts come from. */
export function SourceFields(part: PartProps) {
  const { spec, change } = part;
  return (
    <>
      <RadioChoices
        legend="Labelled texts"
        inColumns
        value={spec.kind}
        choices={[
          {
            value: "stage",
            text: "This project's own labels",
            help: "The majority labels of its rounds; some are held out as the test set.",
          },
          {
            value: "upload",
            text: "Two files of mine",
            help: "One to learn from, one to test on, labelled completely.",
          },
        ]}
        onValue={(kind) => change({ kind })}
      />
      {spec.kind === "stage" ? <StagePart {...part} /> : <UploadPart {...part} />}
    </>
  );
}

function StagePart({ choices, spec, errors, change }: PartProps) {
  const stage = choices.stages.find(({ key }) => key === spec.stage);
  if (choices.stages.length === 0)
    return (
      <p className="notice warn">
        There is no published codebook with stages, so that the project has no majority labels to simulate on:
        bring two files of labelled text.
      </p>
    );
  const field = bindFields(spec, errors, change);
  return (
    <>
      <div className="form-grid">
        <Select
          label="Stage"
          options={choices.stages.map(({ key, title, n }) => ({
            value: key,
            text: `${title}: ${counted(n, "label")}`,
          }))}
          hint={stage && countsWords(stage)}
          {...field("stage", "source.stage")}
        />
        <Field
          label="Held out, %"
          inputMode="decimal"
          hint="Of each label; never learnt, only tested on. Texts that are the same word for word stay together."
          {...field("share", "source.share")}
        />
        <Field
          label="Random seed"
          inputMode="numeric"
          hint="The same number holds out the same items."
          {...field("randomState", "source.random_state")}
        />
      </div>
      {stage && stage.reasons.length > 0 && <p className="notice warn">{stage.reasons.join(" ")}</p>}
    </>
  );
}

function countsWords({ class_counts }: StageChoice): string {
  const counts = Object.entries(class_counts).map(([label, n]) => `${label} ${count(n)}`);
  return counts.length === 0 ? "Nothing usable yet." : `${counts.join(", ")}.`;
}

function UploadPart({ choices, spec, errors, change }: PartProps) {
  const most = `CSV, TSV, JSON Lines or a JSON array with id, text and label; ${count(choices.limits.file_bytes / 1024 ** 2)} MiB at most.`;
  const field = bindFields(spec, errors, change);
  return (
    <div className="form-grid">
      <FileField
        label="To learn from"
        hint={`The pool. ${most}`}
        file={spec.train}
        about={spec.nTrain === null ? "" : counted(spec.nTrain, "line")}
        errors={errors.train}
        onFile={(train) => {
          change({ train, nTrain: null });
          void linesIn(train).then((nTrain) => change({ nTrain }));
        }}
      />
      <FileField
        label="To test on"
        hint="The same form; none of its ids may stand in the other file."
        file={spec.test}
        about=""
        errors={errors.test}
        onFile={(test) => change({ test })}
      />
      <Field
        label="Labels whose share is shown"
        hint="With commas, for example: yes. Empty: the second of two, else all."
        {...field("positive", "positive_labels")}
      />
      <div className="stack-tight">
        <Field
          label="Marks for missing"
          hint="With commas, for example: NA, -99. Lines with such a label are left out. If it is empty, no line is left out, and labels that look like marks are counted and named."
          {...field("missing", "source.missing")}
        />
        {spec.missing !== choices.missing_marks && (
          <div>
            <button
              type="button"
              className="button quiet"
              onClick={() => change({ missing: choices.missing_marks })}
            >
              Take the usual marks
            </button>
          </div>
        )}
      </div>
    </div>
  );
}

interface FileFieldProps {
  label: string;
  hint: string;
  file: File | null;
  about: string;
  errors: string[] | undefined;
  onFile: (file: File) => void;
}

function FileField({ label, hint, file, about, errors, onFile }: FileFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        type="file"
        accept={ROW_FILES}
        aria-describedby={errors ? `${id}-hint ${id}-error` : `${id}-hint`}
        aria-invalid={errors ? true : undefined}
        // A file that was mended keeps its name: chosen again, it would be no change.
        onClick={(event) => {
          event.currentTarget.value = "";
        }}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          if (chosen) onFile(chosen);
        }}
      />
      <Notes id={id} hint={file && about ? `${about}. ${hint}` : hint} errors={errors} />
    </div>
  );
}
