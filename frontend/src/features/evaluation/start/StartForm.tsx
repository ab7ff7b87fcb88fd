import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { flushSync } from "react-dom";
import { useNavigate } from "react-router";
import { type FieldErrors, isApiError } from "../../../api/errors";
import type { Project, Workers } from "../../../api/types";
import { useRefresh } from "../../../api/useRefresh";
import { bindFields } from "../../../components/bindFields";
import { Field } from "../../../components/Field";
import { modelWorkerAway } from "../../../components/modelWorker";
import { Refusal } from "../../../components/Refusal";
import { StartButton } from "../../../components/StartButton";
import { Status } from "../../../components/states";
import { KeptNotice } from "../../../kept/KeptNotice";
import { useAskBeforeLeaving } from "../../../kept/leaving";
import { type KeptForm, useKept } from "../../../kept/useKept";
import { useClientId } from "../../../outbox/useClientId";
import { type Choices, evaluationApi, evaluationsQuery } from "../api";
import { Amount } from "./Amount";
import { GoldFields } from "./GoldFields";
import { ModelsField } from "./ModelsField";
import { MoreFields } from "./MoreFields";
import { PredictionsFile } from "./PredictionsFile";
import { type StageCounts, StagesField } from "./StagesField";
import { SystemsFields } from "./SystemsFields";
import {
  chosenModels,
  defaultSpec,
  type KeptSpec,
  LEAST_GOLD,
  type PartProps,
  type Spec,
  specBody,
  specFaults,
} from "./spec";
import { Trial, TriedAtEnd } from "./Trial";
import { useStageCounts } from "./useStageCounts";

interface StartFormProps {
  choices: Choices;
  project: Project;
  workers: Workers | undefined;
}

export function StartForm(props: StartFormProps) {
  const { choices, project } = props;
  const form = useKept<KeptSpec>(`evaluation.${project.id}`, defaultSpec(choices));
  const { counts, isLoading } = useStageCounts(project.id, choices, form.value);
  // Boxes that tick themselves a moment later would be missed.
  if (isLoading) return <Status>Counting the gold labels</Status>;
  return <Form {...props} form={form} counts={counts} />;
}

interface FormProps extends StartFormProps {
  form: KeptForm<KeptSpec>;
  /** Undefined: they could not be counted. */
  counts: StageCounts | undefined;
}

function Form({ choices, project, workers, form, counts }: FormProps) {
  // A file cannot be kept over a reload: it is asked after before the page is left.
  const [file, setFile] = useState<File | null>(null);
  useAskBeforeLeaving(file ? "A file of predictions is chosen, and the evaluation is not started." : null);
  const [tried, setTried] = useState<string | null>(null);
  const [faults, setFaults] = useState<Record<string, string[]>>({});
  const start = useStart(project.id, choices, () => {
    form.saved();
    setFile(null);
  });
  const spec = completed(form.value, choices, counts);
  const away = workers && modelWorkerAway(workers, "evaluations");
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = specFaults(spec, choices, file !== null);
    // The button is at the end of a long page: what is to be corrected would be out of sight.
    flushSync(() => setFaults(found));
    event.currentTarget.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    if (!away && Object.keys(found).length === 0) start.mutate({ spec, file });
  };
  const errors = { ...gathered(isApiError(start.error) ? start.error.fields : {}), ...faults };
  const part: PartProps = {
    ...{ choices, spec, errors },
    change: (changed) => form.set((before) => ({ ...before, ...changed })),
  };
  const field = bindFields(spec, errors, part.change);
  return (
    <form className="stack start-evaluation" onSubmit={submit} noValidate aria-label="Start an evaluation">
      <KeptNotice form={form} what="the settings of an evaluation" />
      <section className="card stack">
        <Field
          label="Name"
          hint="What it is to find out, for example “Small model, no examples”."
          maxLength={200}
          {...field("name")}
        />
        <GoldFields {...part} />
        <StagesField {...part} counts={counts} />
      </section>
      <section className="card stack" aria-label="Systems">
        <h2>Systems</h2>
        <SystemsFields {...part} />
        <ModelsField {...part} projectId={project.id} />
        <PredictionsFile file={file} errors={errors.predictions} onFile={setFile} />
        {errors.systems && <p className="notice bad">{errors.systems.join(" ")}</p>}
      </section>
      <MoreFields {...part} projectId={project.id} />
      <Amount {...part} projectId={project.id} />
      {chosenModels(spec, choices).length > 0 && (
        <Trial {...part} projectId={project.id} away={away ?? null} id={tried} onTried={setTried} />
      )}
      <Refusal error={start.error} placed={isPlaced} />
      <StartButton what="the evaluation" away={away} isSending={start.isPending} />
      {tried && <TriedAtEnd key={tried} id={tried} />}
    </form>
  );
}

/** A form that was kept may name what is offered no more, and one without a choice of stages has those that count. */
function completed(spec: KeptSpec, choices: Choices, counts: StageCounts | undefined): Spec {
  const offered = new Set([...choices.systems, ...choices.language_models].map(({ name }) => name));
  const few = new Set((counts ?? []).filter(({ n }) => n < LEAST_GOLD).map(({ key }) => key));
  const isChosen = (key: string) => spec.stages?.includes(key) ?? !few.has(key);
  return {
    ...spec,
    systems: spec.systems.filter((name) => offered.has(name)),
    stages: choices.stages.map(({ key }) => key).filter(isChosen),
    batch: choices.batches.map(String).includes(spec.batch) ? spec.batch : "",
  };
}

const PLACED = [
  "name",
  "stages",
  "systems",
  "folds",
  "examples",
  "pool",
  "batch",
  "seed",
  "epsilon",
  "predictions",
];

function isPlaced(field: string): boolean {
  return PLACED.includes(field) || /^(gold|prompts)\b|^(stages|systems)\[/.test(field);
}

/** What is said of one stage or system of the list stands at the list. */
function gathered(fields: FieldErrors): FieldErrors {
  const found: FieldErrors = {};
  for (const [field, messages] of Object.entries(fields)) {
    const place = field.replace(/^(stages|systems)\[\d+\]$/, "$1");
    found[place] = [...(found[place] ?? []), ...messages];
  }
  return found;
}

function useStart(projectId: string, choices: Choices, onStored: () => void) {
  const refresh = useRefresh();
  const navigate = useNavigate();
  const idOf = useClientId();
  return useMutation({
    mutationFn: ({ spec, file }: { spec: Spec; file: File | null }) => {
      const body = specBody(spec, choices);
      const client_id = idOf([body, file && [file.name, file.size, file.lastModified]]);
      return evaluationApi.start(projectId, { ...body, client_id }, file);
    },
    onSuccess: async (made) => {
      // The guard of the chosen file steps aside before the page is left.
      flushSync(onStored);
      await navigate(`/projects/${projectId}/evaluation/${made.id}`);
    },
    onSettled: () => refresh(evaluationsQuery(projectId).queryKey),
  });
}
