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
import { KeptNotice } from "../../../kept/KeptNotice";
import { useKept } from "../../../kept/useKept";
import { useClientId } from "../../../outbox/useClientId";
import { type Choices, interpretationApi, interpretationsQuery } from "../api";
import { AdvancedFields } from "./AdvancedFields";
import { Amount } from "./Amount";
import { DataFields } from "./DataFields";
import { EvaluationsField } from "./EvaluationsField";
import { MoreFields } from "./MoreFields";
import { SystemsFields } from "./SystemsFields";
import {
  completed,
  defaultSpec,
  type KeptSpec,
  type PartProps,
  type Spec,
  specBody,
  specFaults,
} from "./spec";

interface StartFormProps {
  choices: Choices;
  project: Project;
  workers: Workers | undefined;
}

export function StartForm({ choices, project, workers }: StartFormProps) {
  const form = useKept<KeptSpec>(`interpretation.${project.id}`, defaultSpec(choices));
  const [faults, setFaults] = useState<Record<string, string[]>>({});
  const start = useStart(project.id, choices, form.saved);
  const spec = completed(form.value, choices);
  const away = workers && modelWorkerAway(workers, "interpretations");
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = specFaults(spec, choices);
    // The button is at the end of a long page: what is to be corrected would be out of sight.
    flushSync(() => setFaults(found));
    event.currentTarget.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    if (!away && Object.keys(found).length === 0) start.mutate(spec);
  };
  const errors = { ...gathered(isApiError(start.error) ? start.error.fields : {}), ...faults };
  const part: PartProps = {
    ...{ choices, spec, errors },
    change: (changed) => form.set((before) => ({ ...before, ...changed })),
  };
  const field = bindFields(spec, errors, part.change);
  return (
    <form
      className="stack start-interpretation"
      onSubmit={submit}
      noValidate
      aria-label="Start an interpretation"
    >
      <KeptNotice form={form} what="the settings of an interpretation" />
      <section className="card stack" aria-label="Name and data">
        <Field
          label="Name"
          hint="What it is to find out, for example “Lead against Oracle”."
          maxLength={200}
          {...field("name")}
        />
        <DataFields {...part} />
      </section>
      <SystemsFields {...part} />
      <EvaluationsField {...part} projectId={project.id} />
      <MoreFields {...part} />
      <AdvancedFields {...part} />
      <Amount {...part} projectId={project.id} />
      <Refusal error={start.error} placed={isPlaced} />
      <StartButton what="the interpretation" away={away} isSending={start.isPending} />
    </form>
  );
}

const PLACED = ["name", "data", "split", "systems", "evaluations", "prefix", "seed", "bertscore", "rules"];
const OF_SYSTEM = "title|kind|model|filter|filter_model|budget|augment|max_epochs";
const PLACED_PARTS = new RegExp(
  `^generation\\.(beams|min_tokens|max_tokens|limit)$|^training\\.(learning_rate|schedule|patience|batch_size)$|^systems\\[\\d+\\]\\.(${OF_SYSTEM})$`,
);

function isPlaced(field: string): boolean {
  return PLACED.includes(field) || PLACED_PARTS.test(field);
}

/** What is said of one evaluation of the list, or of a system as a whole, stands at the list. */
function gathered(fields: FieldErrors): FieldErrors {
  const found: FieldErrors = {};
  for (const [field, messages] of Object.entries(fields)) {
    const place = field.replace(/^(systems|evaluations)\[\d+\]$/, "$1");
    found[place] = [...(found[place] ?? []), ...messages];
  }
  return found;
}

function useStart(projectId: string, choices: Choices, onStored: () => void) {
  const refresh = useRefresh();
  const navigate = useNavigate();
  const idOf = useClientId();
  return useMutation({
    mutationFn: (spec: Spec) => {
      const body = specBody(spec, choices);
      return interpretationApi.start(projectId, { ...body, client_id: idOf(body) });
    },
    onSuccess: async (made) => {
      onStored();
      await navigate(`/projects/${projectId}/interpretations/${made.id}`);
    },
    onSettled: () => refresh(interpretationsQuery(projectId).queryKey),
  });
}
