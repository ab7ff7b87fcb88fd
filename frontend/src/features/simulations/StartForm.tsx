import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { flushSync } from "react-dom";
import { useNavigate } from "react-router";
import { isApiError } from "../../api/errors";
import type { Project, Workers } from "../../api/types";
import { useRefresh } from "../../api/useRefresh";
import { bindFields } from "../../components/bindFields";
import { CheckChoices } from "../../components/Choices";
import { Field } from "../../components/Field";
import { Refusal } from "../../components/Refusal";
import { Select } from "../../components/Select";
import { KeptNotice } from "../../kept/KeptNotice";
import { useAskBeforeLeaving } from "../../kept/leaving";
import { useKept } from "../../kept/useKept";
import { duration } from "../../text/format";
import {
  type Choices,
  choicesQuery,
  type SimulationBody,
  simulationsApi,
  simulationsQuery,
  type Texts,
} from "./api";
import { CasesFields } from "./CasesFields";
import { ReportFields } from "./ReportFields";
import { SourceFields } from "./SourceFields";
import {
  amountOf,
  amountWords,
  baselineShown,
  defaultSpec,
  type PartProps,
  type Spec,
  shownBatches,
  shownBatchSizes,
  shownKeys,
  simulationBody,
  specFaults,
  textsOf,
} from "./spec";

interface StartFormProps {
  choices: Choices;
  project: Project;
  workers: Workers | undefined;
}

export function StartForm({ choices, project, workers }: StartFormProps) {
  const [begun] = useState(() => defaultSpec(choices));
  const form = useKept<Typed>(`simulation.${project.id}`, typedOf(begun));
  // Files cannot be kept over a reload: they are asked after before the page is left.
  const [files, setFiles] = useState(() => filesOf(begun));
  const spec: Spec = { ...form.value, ...files };
  useAskBeforeLeaving(
    files.train || files.test ? "Files are chosen, and the simulation is not started." : null,
  );
  const [faults, setFaults] = useState<Record<string, string[]>>({});
  const start = useStart(project.id, () => {
    form.saved();
    setFiles(filesOf(begun));
  });
  const whyNot = workers && !workers.models.alive ? workerWords(workers) : null;
  const whyId = useId();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = specFaults(spec, choices.strategies, choices);
    setFaults(found);
    if (!whyNot && Object.keys(found).length === 0)
      start.mutate({ body: simulationBody(spec, choices.strategies, choices), texts: textsOf(spec) });
  };
  const errors = { ...(isApiError(start.error) ? start.error.fields : {}), ...faults };
  const part: PartProps = {
    choices,
    spec,
    errors,
    change: (changed) => {
      setFiles((before) => filesOf({ ...begun, ...before, ...changed }));
      form.set((before) => typedOf({ ...before, ...files, ...changed }));
    },
  };
  const field = bindFields(spec, errors, part.change);
  return (
    <form className="stack start-simulation" onSubmit={submit} noValidate aria-label="Start a simulation">
      <KeptNotice form={form} what="the settings of a simulation" />
      <Field
        label="Name"
        hint="What it is to find out, for example “CAL or entropy, opinion stage”."
        {...field("name")}
      />
      <SourceFields {...part} />
      <CasesFields {...part} />
      <ModelsPart {...part} />
      <SizesPart {...part} />
      <ReportFields {...part} />
      <MorePart {...part} />
      <Work {...part} />
      <Refusal error={start.error} placed={(field) => isPlaced(field, spec)} />
      {whyNot && (
        <p className="notice bad" id={whyId} role="alert">
          {whyNot}
        </p>
      )}
      <div className="row">
        <button
          type="submit"
          className="button primary"
          disabled={start.isPending}
          aria-disabled={Boolean(whyNot) || undefined}
          aria-describedby={whyNot ? whyId : undefined}
        >
          {start.isPending ? "Sending" : "Start the simulation"}
        </button>
      </div>
    </form>
  );
}

type Files = Pick<Spec, "train" | "test" | "nTrain">;
type Typed = Omit<Spec, keyof Files>;

function filesOf({ train, test, nTrain }: Spec): Files {
  return { train, test, nTrain };
}

function typedOf({ train: _, test: __, nTrain: ___, ...typed }: Spec): Typed {
  return typed;
}

function useStart(projectId: string, onStored: () => void) {
  const refresh = useRefresh();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ body, texts }: { body: SimulationBody; texts: Texts | null }) =>
      simulationsApi.start(projectId, body, texts),
    onSuccess: async (made) => {
      // The guard of the chosen files steps aside before the page is left.
      flushSync(onStored);
      await navigate(`/projects/${projectId}/simulations/${made.id}`);
    },
    onSettled: () => refresh(simulationsQuery(projectId).queryKey, choicesQuery(projectId).queryKey),
  });
}

function workerWords({ models }: Workers): string {
  const seen = models.seen_seconds_ago;
  return `The model worker, which runs simulations, has stopped (${seen === null ? "never seen" : `last seen ${duration(seen)} ago`}). Start it, then start the simulation.`;
}

const PLACED = [
  ...["name", "train", "test", "positive_labels", "models", "seeds", "batch_sizes", "batches", "baseline"],
  ...["source.stage", "source.share", "source.random_state", "strategies", "primary"],
  ...["string_test.phrases", "string_test.label", "string_test.otherwise"],
];

function isPlaced(field: string, spec: Spec): boolean {
  if (field === "source.missing" || /^(parts|primary_part)/.test(field)) return spec.kind === "upload";
  const uploads = ["train", "test", "positive_labels"].includes(field);
  if (uploads || field.startsWith("source.")) return uploads === (spec.kind === "upload");
  return PLACED.includes(field) || /^strategies\[\d+\]\.(key|name|options\.)/.test(field);
}

function ModelsPart({ choices, spec, errors, change }: PartProps) {
  return (
    <CheckChoices
      legend="Models"
      inColumns
      values={spec.models}
      choices={choices.models.map(({ name, title, available, note }) => ({
        value: name,
        text: available ? title : `${title} (not on this machine yet)`,
        help: note,
      }))}
      errors={errors.models}
      onValues={(models) => change({ models })}
    />
  );
}

function SizesPart({ choices, spec, errors, change }: PartProps) {
  const field = bindFields(spec, errors, change);
  return (
    <div className="form-grid">
      <Field
        label="Seeds"
        hint="One run for each. Within a seed all start from the same first batch, drawn at random; five or more say more than three."
        {...field("seeds")}
      />
      <Field
        label="Items in a batch"
        placeholder={shownBatchSizes(spec, choices)}
        hint="Several with commas compare batch sizes. Empty: as shown."
        {...field("batchSizes", "batch_sizes")}
      />
      <Field
        label="Batches"
        inputMode="numeric"
        placeholder={shownBatches(spec)}
        hint="How many each run labels, the first one counted; fewer if the pool ends before."
        {...field("batches")}
      />
    </div>
  );
}

function MorePart({ spec, errors, change }: PartProps) {
  return (
    <details className="more" open={Boolean(errors.baseline) || undefined}>
      <summary>More settings</summary>
      <div className="form-grid">
        <Select
          label="Compared with"
          value={baselineShown(spec)}
          options={shownKeys(spec.cases).map((key) => ({ value: key, text: key }))}
          hint="The baseline of the differences and of “labels needed”."
          errors={errors.baseline}
          onValue={(baseline) => change({ baseline })}
        />
        <Select
          label="Full supervision"
          value={spec.fullSupervision}
          options={[
            { value: "first", text: "with the first seed" },
            { value: "all", text: "with every seed" },
            { value: "none", text: "left out" },
          ]}
          hint="Each model also learns the whole pool at once: what the curves are measured against."
          onValue={(value) => change({ fullSupervision: value as Spec["fullSupervision"] })}
        />
      </div>
    </details>
  );
}

function Work({ choices, spec }: PartProps) {
  const amount = amountOf(spec, choices);
  if (!amount) return null;
  return (
    <p className="notice" role="status">
      {amountWords(amount, choices)} It runs beside everything else and makes room for rounds; you need not
      wait here.
    </p>
  );
}
