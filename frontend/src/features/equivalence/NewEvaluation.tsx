import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { useNavigate } from "react-router";
import { isApiError } from "../../api/errors";
import { useRefresh } from "../../api/useRefresh";
import { RadioChoices } from "../../components/Choices";
import { CancelButton, Dialog } from "../../components/Dialog";
import { Field } from "../../components/Field";
import { Refusal } from "../../components/Refusal";
import { Select } from "../../components/Select";
import { uuid } from "../../outbox/uuid";
import { useProject } from "../../session/project";
import { capitalised, counted } from "../../text/format";
import { equivalenceApi, overviewQuery } from "./api";
import { PART_WORDS } from "./copy";
import { evaluationPath } from "./paths";
import type { Category, Overview, Part } from "./types";

const PART_HELP: Record<Part, string> = {
  words: "The words that a span marks.",
  comment: "The comment on a span. Spans without one are left out.",
  both: "Words and comment together: the same words with two comments are two strings.",
};

export const IN_DEPTH_HELP =
  "It tests one property only, such as negation. The mean over all evaluations leaves it out.";

/** Asks for a category, a part and a name, and leads to the editor. */
export function NewEvaluation({ overview, onClose }: { overview: Overview; onClose: () => void }) {
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const [clientId] = useState(uuid);
  const first = mostSpans(overview.categories);
  const [values, setValues] = useState({ category: first?.key ?? "", name: "", part: "words" as Part });
  const [inDepth, setInDepth] = useState(false);
  const [isTried, setTried] = useState(false);
  const category = overview.categories.find(({ key }) => key === values.category);
  const hasComment = category?.has_comment ?? false;
  const part = hasComment ? values.part : "words";
  const creating = useMutation({
    mutationFn: () =>
      equivalenceApi.create(projectId, {
        ...{ category: values.category, name: values.name.trim(), part },
        ...{ in_depth: inDepth, client_id: clientId },
      }),
    onSuccess: async ({ id }) => {
      await refresh(overviewQuery(projectId).queryKey);
      await navigate(evaluationPath(projectId, id));
    },
  });
  const errors = isApiError(creating.error) ? creating.error.fields : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (values.name.trim() && !creating.isPending) creating.mutate();
  };
  return (
    <Dialog title="New evaluation" onClose={onClose}>
      <form className="stack" onSubmit={submit} noValidate>
        <Select
          label="Category"
          value={values.category}
          options={overview.categories.map(({ key, title, n_spans }) => ({
            value: key,
            text: `${title} (${counted(n_spans, "span")})`,
          }))}
          errors={errors.category}
          onValue={(key) => setValues({ ...values, category: key })}
        />
        <Field
          label="Name of the evaluation"
          hint="What its classes tell apart, such as “temporal scope”."
          value={values.name}
          maxLength={200}
          autoComplete="off"
          data-first-focus
          errors={isTried && !values.name.trim() ? ["Give the evaluation a name."] : errors.name}
          onValue={(name) => setValues({ ...values, name })}
        />
        <RadioChoices
          legend="What of a span is grouped"
          value={part}
          choices={overview.parts.map((value) => ({
            value,
            text: capitalised(PART_WORDS[value]),
            help: PART_HELP[value],
            isOff: value !== "words" && !hasComment,
          }))}
          hint={hasComment ? undefined : "Spans of this category have no comment in the codebook."}
          errors={errors.part}
          onValue={(next) => setValues({ ...values, part: next })}
        />
        <InDepth isOn={inDepth} onChange={setInDepth} />
        <Refusal error={creating.error} placed={(field) => ["category", "name", "part"].includes(field)} />
        <div className="row">
          <button type="submit" className="button primary" disabled={creating.isPending}>
            Make the evaluation
          </button>
          <CancelButton onClose={onClose} />
        </div>
      </form>
    </Dialog>
  );
}

export function InDepth({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <div className="field">
      <label className="row">
        <input type="checkbox" checked={isOn} onChange={() => onChange(!isOn)} />
        In depth
      </label>
      <span className="hint">{IN_DEPTH_HELP}</span>
    </div>
  );
}

function mostSpans(categories: readonly Category[]): Category | undefined {
  return categories.toSorted((a, b) => b.n_spans - a.n_spans)[0];
}
