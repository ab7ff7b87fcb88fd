import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { ChecksFields, CheckWords } from "../../../activeLearning/ChecksFields";
import { CHECK_FIELDS } from "../../../activeLearning/checks";
import { annotatorChoices, dateNumber, usualAnnotators } from "../../../activeLearning/roundSpec";
import { SharesFields } from "../../../activeLearning/SharesFields";
import { isApiError } from "../../../api/errors";
import { insightsKey } from "../../../api/insights";
import type { RoundsPage } from "../../../api/rounds";
import type { Project } from "../../../api/types";
import { useRefresh } from "../../../api/useRefresh";
import { useAnnounce } from "../../../components/Announcer";
import { bindFields } from "../../../components/bindFields";
import { CheckChoices } from "../../../components/Choices";
import { Confirm } from "../../../components/Confirm";
import { CancelButton } from "../../../components/Dialog";
import { Field } from "../../../components/Field";
import { Refusal } from "../../../components/Refusal";
import { KeptNotice } from "../../../kept/KeptNotice";
import { useKept } from "../../../kept/useKept";
import { count, counted } from "../../../text/format";
import { type PrototypeBody, prototypeOpen, prototypeQuery } from "./api";
import { type Draft, draftBody, draftFaults, perItemShown, USUAL_SIZE } from "./draft";

const FIELDS = ["size", "random_state", "annotators", "annotators_per_item", "shares", ...CHECK_FIELDS];

interface PrototypeFormProps {
  project: Project;
  people: RoundsPage["annotators"];
  onClose: () => void;
}

export function PrototypeForm({ project, people, onClose }: PrototypeFormProps) {
  const form = useKept<Draft>(`prototype.${project.id}`, {
    size: String(Math.max(1, Math.min(USUAL_SIZE, project.pool_left))),
    randomState: dateNumber(new Date()),
    annotators: usualAnnotators(people),
    perItem: null,
  });
  const draft = form.value;
  const [faults, setFaults] = useState<Record<string, string[]>>({});
  const [isAsking, setAsking] = useState(false);
  const open = useOpen(project.id, form.saved, onClose);
  const errors = { ...(isApiError(open.error) ? open.error.fields : {}), ...faults };
  const change = (part: Partial<Draft>) => form.set((before) => ({ ...before, ...part }));
  const cancel = () => {
    form.discard();
    onClose();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = draftFaults(draft);
    setFaults(found);
    setAsking(Object.keys(found).length === 0);
  };
  const confirmed = () => {
    setAsking(false);
    open.mutate(draftBody(draft));
  };
  return (
    <form className="stack" onSubmit={submit} noValidate aria-label="Open a prototype batch">
      <KeptNotice form={form} what="the settings" />
      <NumberFields draft={draft} errors={errors} change={change} poolLeft={project.pool_left} />
      <CheckChoices
        legend="Who annotates it"
        inColumns
        values={draft.annotators}
        choices={annotatorChoices(people)}
        errors={errors.annotators}
        onValues={(annotators) => change({ annotators })}
      />
      <SharesFields
        people={annotatorChoices(people)}
        annotators={draft.annotators}
        perItem={Number(perItemShown(draft))}
        shares={draft.shares ?? null}
        errors={errors.shares}
        onShares={(shares) => change({ shares })}
      />
      <ChecksFields
        projectId={project.id}
        nItems={Number(draft.size)}
        checks={draft.checks ?? null}
        errors={errors}
        onChecks={(checks) => change({ checks })}
      />
      <Refusal error={open.error} placed={(field) => FIELDS.includes(field)} />
      <div className="row">
        <button type="submit" className="button primary" disabled={open.isPending}>
          Open it
        </button>
        <CancelButton onClose={cancel} />
      </div>
      {isAsking && (
        <ConfirmOpening body={draftBody(draft)} onConfirm={confirmed} onClose={() => setAsking(false)} />
      )}
    </form>
  );
}

interface ConfirmOpeningProps {
  body: PrototypeBody;
  onConfirm: () => void;
  onClose: () => void;
}

/** Names what opening gives out, and that it cannot be taken back. */
function ConfirmOpening({ body, onConfirm, onClose }: ConfirmOpeningProps) {
  return (
    <Confirm
      title="Open the prototype batch?"
      act="Open the batch"
      busy={false}
      error={null}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        It takes {counted(body.size, "item")} out of the pool for good, and gives each to{" "}
        {counted(body.annotators_per_item, "person", "people")}. They train no model and are in no release. It
        cannot be taken back.
      </p>
      <CheckWords nItems={body.size} checks={body.check_items} />
    </Confirm>
  );
}

interface NumberFieldsProps {
  draft: Draft;
  errors: Record<string, string[]>;
  change: (part: Partial<Draft>) => void;
  poolLeft: number;
}

function NumberFields({ draft, errors, change, poolLeft }: NumberFieldsProps) {
  const field = bindFields(draft, errors, change);
  return (
    <div className="form-grid">
      <Field
        label="Items in the prototype batch"
        inputMode="numeric"
        hint={`Of the ${count(poolLeft)} that nobody was given yet. The rarer positives are, the more it needs: with 200 items, 10 % is known to about ±4 points.`}
        {...field("size")}
      />
      <Field
        label="Annotators per item"
        inputMode="numeric"
        value={perItemShown(draft)}
        errors={errors.annotators_per_item}
        onValue={(perItem) => change({ perItem })}
      />
      <Field
        label="Random seed"
        inputMode="numeric"
        hint="The same number and the same pool give the same batch."
        {...field("randomState", "random_state")}
      />
    </div>
  );
}

function useOpen(projectId: string, onStored: () => void, onDone: () => void) {
  const client = useQueryClient();
  const refresh = useRefresh();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (body: PrototypeBody) => prototypeOpen(projectId, body),
    onSuccess: (page) => {
      onStored();
      client.setQueryData(prototypeQuery(projectId).queryKey, page);
      announce("The prototype batch is open.");
      onDone();
    },
    onSettled: () =>
      refresh(
        prototypeQuery(projectId).queryKey,
        insightsKey(projectId),
        ["rounds", projectId],
        ["project", projectId],
      ),
  });
}
