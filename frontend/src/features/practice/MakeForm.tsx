import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { useNavigate } from "react-router";
import { isApiError } from "../../api/errors";
import { practiceApi, practicesQuery } from "../../api/practice";
import type { Project } from "../../api/types";
import { useRefresh } from "../../api/useRefresh";
import { bindFields } from "../../components/bindFields";
import { CheckChoices } from "../../components/Choices";
import { CancelButton } from "../../components/Dialog";
import { Field } from "../../components/Field";
import { Refusal } from "../../components/Refusal";
import { KeptNotice } from "../../kept/KeptNotice";
import { useKept } from "../../kept/useKept";
import { type Sent, useKeptClientId } from "../../outbox/useKeptClientId";

const FIELDS = ["title", "pass_mark", "attempts"];
const BEGINNING = {
  ...{ title: "", passMark: "80", attempts: "3", required: [] as "required"[] },
  sent: null as Sent | null,
};

/** Makes a practice without items, and leads to it. */
export function MakeForm({ project }: { project: Project }) {
  const form = useKept(`practice.${project.id}`, BEGINNING);
  const [isOpen, setOpen] = useState(form.isChanged);
  if (!isOpen)
    return (
      <div className="row">
        <button type="button" className="button primary" onClick={() => setOpen(true)}>
          Make a practice
        </button>
      </div>
    );
  const cancel = () => {
    form.discard();
    setOpen(false);
  };
  return <Form project={project} form={form} onCancel={cancel} />;
}

interface FormProps {
  project: Project;
  form: ReturnType<typeof useKept<typeof BEGINNING>>;
  onCancel: () => void;
}

function Form({ project, form, onCancel }: FormProps) {
  const navigate = useNavigate();
  const refresh = useRefresh();
  const { title, passMark, attempts, required } = form.value;
  const clientId = useKeptClientId(form);
  const make = useMutation({
    mutationFn: () => {
      const marks = { pass_mark: Number(passMark), attempts: Number(attempts) };
      const body = { title, ...marks, is_required: required.length > 0 };
      return practiceApi.make(project.id, { ...body, client_id: clientId(body) });
    },
    onSuccess: async ({ practice }) => {
      form.saved();
      await refresh(practicesQuery(project.id).queryKey);
      await navigate(`/projects/${project.id}/practice/${practice.id}`);
    },
  });
  const errors = isApiError(make.error) ? make.error.fields : {};
  const field = bindFields(form.value, errors, (part) => form.set((before) => ({ ...before, ...part })));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form className="card stack" onSubmit={submit} noValidate aria-label="Make a practice">
      <KeptNotice form={form} what="the settings" />
      <div className="form-grid">
        <Field label="Title" maxLength={100} hint="Annotators see it." {...field("title")} />
        <Field
          label="Pass mark in percent"
          inputMode="numeric"
          hint="The share of items that must be right in all questions of the key."
          {...field("passMark", "pass_mark")}
        />
        <Field label="Attempts" inputMode="numeric" {...field("attempts")} />
      </div>
      <CheckChoices
        legend="Rounds"
        values={required}
        choices={[
          {
            value: "required",
            text: "Only who passed may annotate a round",
            help: "It holds for people who are chosen, and for those to whom items are handed over. You can change it later.",
          },
        ]}
        onValues={(values) => form.set((before) => ({ ...before, required: values }))}
      />
      <Refusal error={make.error} placed={(name) => FIELDS.includes(name)} />
      <div className="row">
        <button type="submit" className="button primary" disabled={make.isPending}>
          Make it and choose items
        </button>
        <CancelButton onClose={onCancel} />
      </div>
    </form>
  );
}
