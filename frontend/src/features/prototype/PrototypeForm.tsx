import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { isApiError } from "../../api/errors";
import type { Project } from "../../api/types";
import { useAnnounce } from "../../components/Announcer";
import { CheckChoices } from "../../components/Choices";
import { Field } from "../../components/Field";
import { Refusal } from "../../components/Refusal";
import { count } from "../../components/words";
import { insightsKey } from "../insights/api";
import { dateNumber } from "../rounds/spec";
import { type PrototypeBody, prototypeOpen, prototypeQuery } from "./api";
import { type Draft, draftBody, draftFaults, perItemShown, USUAL_SIZE } from "./draft";

const FIELDS = ["size", "random_state", "annotators", "annotators_per_item"];

interface PrototypeFormProps {
  project: Project;
  people: { id: string; display_name: string; role: string }[];
  onClose: () => void;
}

export function PrototypeForm({ project, people, onClose }: PrototypeFormProps) {
  const [draft, setDraft] = useState<Draft>(() => ({
    size: String(Math.max(1, Math.min(USUAL_SIZE, project.pool_size))),
    randomState: dateNumber(new Date()),
    annotators: people.filter(({ role }) => role === "annotator").map(({ id }) => id),
    perItem: null,
  }));
  const [faults, setFaults] = useState<Record<string, string[]>>({});
  const open = useOpen(project.id, onClose);
  const errors = { ...(isApiError(open.error) ? open.error.fields : {}), ...faults };
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = draftFaults(draft);
    setFaults(found);
    if (Object.keys(found).length === 0) open.mutate(draftBody(draft));
  };
  return (
    <form className="stack" onSubmit={submit} noValidate aria-label="Open a prototype batch">
      <NumberFields draft={draft} errors={errors} change={change} poolSize={project.pool_size} />
      <CheckChoices
        legend="Who annotates it"
        inColumns
        values={draft.annotators}
        choices={people
          .toSorted((a, b) => Number(b.role === "annotator") - Number(a.role === "annotator"))
          .map(({ id, display_name, role }) => ({
            value: id,
            text: role === "annotator" ? display_name : `${display_name} (${role})`,
          }))}
        errors={errors.annotators}
        onValues={(annotators) => change({ annotators })}
      />
      <Refusal error={open.error} placed={(field) => FIELDS.includes(field)} />
      <div className="row">
        <button type="submit" className="button primary" disabled={open.isPending}>
          Open it
        </button>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}

interface NumberFieldsProps {
  draft: Draft;
  errors: Record<string, string[]>;
  change: (part: Partial<Draft>) => void;
  poolSize: number;
}

function NumberFields({ draft, errors, change, poolSize }: NumberFieldsProps) {
  return (
    <div className="form-grid">
      <Field
        label="Items in the prototype batch"
        inputMode="numeric"
        value={draft.size}
        hint={`Of the pool's ${count(poolSize)}. The rarer positives are, the more it needs: with 200 items, 10 % is known to about ±4 points.`}
        errors={errors.size}
        onValue={(size) => change({ size })}
      />
      <Field
        label="Annotators per item"
        inputMode="numeric"
        value={perItemShown(draft)}
        errors={errors.annotators_per_item}
        onValue={(perItem) => change({ perItem })}
      />
      <Field
        label="random_state"
        inputMode="numeric"
        value={draft.randomState}
        hint="The same number and the same pool give the same batch."
        errors={errors.random_state}
        onValue={(randomState) => change({ randomState })}
      />
    </div>
  );
}

function useOpen(projectId: string, onDone: () => void) {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (body: PrototypeBody) => prototypeOpen(projectId, body),
    onSuccess: (page) => {
      client.setQueryData(prototypeQuery(projectId).queryKey, page);
      announce("The prototype batch is open.");
      onDone();
    },
    onSettled: () =>
      Promise.all(
        [
          prototypeQuery(projectId).queryKey,
          insightsKey(projectId),
          ["rounds", projectId],
          ["project", projectId],
        ].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}
