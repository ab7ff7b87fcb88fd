import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { ChecksFields } from "../../activeLearning/ChecksFields";
import { CHECK_FIELDS } from "../../activeLearning/checks";
import { isLearned } from "../../activeLearning/learned";
import {
  annotatorChoices,
  budgetLeft,
  defaultSpec,
  isFirstBatch,
  joinsStages,
  perItemShown,
  rateHint,
  roundBody,
  type Spec,
  specFaults,
} from "../../activeLearning/roundSpec";
import { SharesFields } from "../../activeLearning/SharesFields";
import { StrategyFields } from "../../activeLearning/StrategyFields";
import { type FieldErrors, isApiError } from "../../api/errors";
import { type RoundBody, type RoundsPage, roundsApi, roundsQuery } from "../../api/rounds";
import type { CodebookDefinition, Project } from "../../api/types";
import { useRefresh } from "../../api/useRefresh";
import { bindFields } from "../../components/bindFields";
import { CheckChoices, RadioChoices } from "../../components/Choices";
import { Field } from "../../components/Field";
import { Refusal } from "../../components/Refusal";
import { Select } from "../../components/Select";
import { KeptNotice } from "../../kept/KeptNotice";
import { useKept } from "../../kept/useKept";
import { count, counted } from "../../text/format";
import { ConfirmStart } from "./ConfirmStart";
import { Readiness } from "./Readiness";

interface StartFormProps {
  page: RoundsPage;
  project: Project;
  definition: CodebookDefinition;
  /** Somebody else started a round first: said where the form was. */
  onMissed: (words: string) => void;
}

interface PartProps extends Omit<StartFormProps, "onMissed"> {
  spec: Spec;
  errors: FieldErrors;
  change: (part: Partial<Spec>) => void;
}

export function StartForm({ page, project, definition, onMissed }: StartFormProps) {
  // Only what was typed is kept: what was not follows the page, to which people and text may still come.
  const form = useKept<Partial<Spec>>(`round.${project.id}`, {});
  const [today] = useState(() => new Date());
  const spec = { ...defaultSpec(page, project, definition, today), ...form.value };
  const [faults, setFaults] = useState<FieldErrors>({});
  const start = useStart(project.id, form.saved, onMissed);
  const reasonsId = useId();
  const [asked, setAsked] = useState<RoundBody | null>(null);
  const strategy = page.strategies.find((candidate) => candidate.name === spec.strategy);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = specFaults(spec, strategy, definition);
    setFaults(found);
    if (strategy && page.next.may_start && Object.keys(found).length === 0)
      setAsked(roundBody(spec, strategy));
  };
  const errors = { ...(isApiError(start.error) ? start.error.fields : {}), ...faults };
  const part = {
    page,
    project,
    definition,
    spec,
    errors,
    change: (changed: Partial<Spec>) => form.set((before) => ({ ...before, ...changed })),
  };
  return (
    <form
      className="stack start-form"
      onSubmit={submit}
      noValidate
      aria-label={`Start round ${page.next.number}`}
    >
      <KeptNotice form={form} what="the settings of a round" />
      {!isFirstBatch(page) && <StrategyPart {...part} />}
      <BatchPart {...part} />
      <PeoplePart {...part} />
      <MorePart {...part} />
      <Refusal error={start.error} placed={(field) => isPlaced(field, part)} />
      {!page.next.may_start && <Reasons id={reasonsId} reasons={page.next.reasons} />}
      <div className="row">
        <button
          type="submit"
          className="button primary"
          disabled={start.isPending}
          aria-disabled={!page.next.may_start || undefined}
          aria-describedby={page.next.may_start ? undefined : reasonsId}
        >
          {isFirstBatch(page) ? "Start it" : `Start round ${page.next.number}`}
        </button>
      </div>
      {asked && (
        <ConfirmStart
          body={asked}
          page={page}
          busy={start.isPending}
          onConfirm={() => start.mutate(asked, { onSettled: () => setAsked(null) })}
          onClose={() => setAsked(null)}
        />
      )}
    </form>
  );
}

function useStart(projectId: string, onStored: () => void, onMissed: (words: string) => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: RoundBody) => roundsApi.start(projectId, body),
    onSuccess: onStored,
    onError: (error) => {
      if (isApiError(error) && error.code === "round_active") onMissed(error.message);
    },
    onSettled: () => refresh(roundsQuery(projectId).queryKey, ["project", projectId]),
  });
}

function isPlaced(field: string, { page, spec }: PartProps): boolean {
  const placed = [
    "query_size",
    "annotators",
    "annotators_per_item",
    "shares",
    ...CHECK_FIELDS,
    ...MORE_FIELDS,
  ];
  if (placed.includes(field)) return true;
  if (isFirstBatch(page)) return false;
  const strategy = page.strategies.find((candidate) => candidate.name === spec.strategy);
  if (field === "strategy" || (field === "model" && strategy?.needs_model)) return true;
  return strategy?.options.some((option) => field === `options.${option.name}`) ?? false;
}

function Reasons({ id, reasons }: { id: string; reasons: string[] }) {
  return (
    <div className="notice warn" id={id}>
      <p>
        <b>It can't start now.</b>
      </p>
      <ul className="reasons">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </div>
  );
}

function StrategyPart({ page, project, definition, spec, errors, change }: PartProps) {
  const strategy = page.strategies.find((candidate) => candidate.name === spec.strategy);
  const model = page.models.find((candidate) => candidate.name === spec.model);
  const field = bindFields(spec, errors, change);
  return (
    <>
      <RadioChoices
        legend="How the items are chosen"
        inColumns
        value={spec.strategy}
        choices={strategiesFor(page, definition).map(({ name, title, summary }) => ({
          value: name,
          text: title,
          help: summary,
        }))}
        hint={
          !definition.stages.some(isLearned) &&
          "The codebook has no labels for a model to learn: what needs a model is not offered."
        }
        errors={errors.strategy}
        onValue={(name) => change({ strategy: name, options: {} })}
      />
      {strategy && (
        <StrategyFields
          strategy={strategy}
          values={spec.options}
          errors={errors}
          onOption={(name, value) => {
            const { [name]: _, ...others } = spec.options;
            change({ options: value === undefined ? others : { ...others, [name]: value } });
          }}
        />
      )}
      {strategy?.needs_model && (
        <div className="form-grid">
          <Select
            label="Model"
            options={page.models.map(({ name, title, available }) => ({
              value: name,
              text: available ? title : `${title} (not on this machine yet)`,
            }))}
            hint={model?.note}
            {...field("model")}
          />
          <RadioChoices
            legend="If the strategy cannot run, or the model has learned nothing yet"
            value={spec.alternative}
            choices={[
              {
                value: "",
                text: "Use no other strategy",
                help: "Refuse what cannot run. A model that has learned nothing still chooses, no better than at random, and the round says so.",
              },
              { value: "random", text: "Draw at random, and say so on the round" },
            ]}
            onValue={(alternative) => change({ alternative })}
          />
        </div>
      )}
      {strategy?.needs_model && <Readiness projectId={project.id} stages={spec.learningStages} />}
    </>
  );
}

function strategiesFor({ strategies }: RoundsPage, { stages }: CodebookDefinition): RoundsPage["strategies"] {
  return stages.some(isLearned) ? strategies : strategies.filter((strategy) => !strategy.needs_model);
}

function BatchPart({ project, spec, errors, change }: PartProps) {
  const left = budgetLeft(project);
  const budget =
    left === null ? "" : ` The budget has ${count(left)} of ${count(project.annotation_budget ?? 0)} left.`;
  const hint = `The pool has ${count(project.pool_left)} items that nobody was given yet.${budget}`;
  const field = bindFields(spec, errors, change);
  return (
    <div className="form-grid">
      <Field
        label="Items in the batch"
        inputMode="numeric"
        hint={hint}
        {...field("querySize", "query_size")}
      />
      <Field
        label="Annotators per item"
        inputMode="numeric"
        value={perItemShown(spec)}
        hint="How many people answer each item, each on their own."
        errors={errors.annotators_per_item}
        onValue={(perItem) => change({ perItem })}
      />
    </div>
  );
}

function PeoplePart({ page, project, spec, errors, change }: PartProps) {
  return (
    <>
      <CheckChoices
        legend="Who annotates"
        inColumns
        values={spec.annotators}
        choices={annotatorChoices(page.annotators)}
        hint={
          page.annotators.length === 0 ? "Nobody belongs to the project yet: invite people first." : undefined
        }
        errors={errors.annotators}
        onValues={(annotators) => change({ annotators })}
      />
      <SharesFields
        people={annotatorChoices(page.annotators)}
        annotators={spec.annotators}
        perItem={Number(perItemShown(spec))}
        shares={spec.shares}
        errors={errors.shares}
        onShares={(shares) => change({ shares })}
      />
      <ChecksFields
        projectId={project.id}
        nItems={Number(spec.querySize)}
        checks={spec.checks}
        errors={errors}
        onChecks={(checks) => change({ checks })}
      />
    </>
  );
}

const MORE_FIELDS = [
  "random_state",
  "random_share",
  "learning_rate",
  "learning_stages",
  "label_phase",
  "use_adjudicated",
];

/** Majorities of the independent answers, unless something else is asked for; the round's record says which. */
function LabelsPart({ page, spec, errors, change }: Omit<PartProps, "project" | "definition">) {
  const { n_adjudicated, second_looks } = page.next;
  return (
    <>
      <CheckChoices
        legend="Decided labels"
        values={spec.useAdjudicated ? ["use"] : []}
        choices={[{ value: "use", text: "Learn from what was adjudicated too, before the majorities" }]}
        hint={`${counted(n_adjudicated, "item")} decided so far. Usually left out.`}
        errors={errors.use_adjudicated}
        onValues={(values) => change({ useAdjudicated: values.length > 0 })}
      />
      {second_looks > 0 && (
        <RadioChoices<Spec["labelPhase"]>
          legend="Which answers the majorities are of"
          value={spec.labelPhase}
          choices={[
            { value: "1", text: "The independent ones (phase 1)" },
            {
              value: "2",
              text: "Those after second looks (phase 2)",
              help: "Their second looks must be over.",
            },
          ]}
          errors={errors.label_phase}
          onValue={(labelPhase) => change({ labelPhase })}
        />
      )}
    </>
  );
}

function MorePart({ page, definition, spec, errors, change }: PartProps) {
  const strategy = page.strategies.find((candidate) => candidate.name === spec.strategy);
  const field = bindFields(spec, errors, change);
  return (
    <details className="more" open={MORE_FIELDS.some((field) => errors[field]) || undefined}>
      <summary>More settings</summary>
      <div className="form-grid">
        <Field
          label="Random seed"
          inputMode="numeric"
          hint="The same number and the same data give the same batch."
          {...field("randomState", "random_state")}
        />
        <Field
          label="Drawn at random, percent"
          inputMode="numeric"
          hint="This part of the batch is a uniform sample of the pool, whatever the strategy says."
          {...field("randomShare", "random_share")}
        />
        <CheckChoices
          legend="Equal texts"
          values={spec.noDuplicateTexts ? ["none"] : []}
          choices={[{ value: "none", text: "No two items of one text in the batch" }]}
          onValues={(values) => change({ noDuplicateTexts: values.length > 0 })}
        />
        {definition.stages.some(isLearned) && (
          <CheckChoices
            legend="Stages the model learns"
            values={spec.learningStages}
            choices={definition.stages
              .filter(isLearned)
              .map((stage) => ({ value: stage.key, text: `${stage.title} (${stage.key})` }))}
            hint="The model is trained on majorities, of sets label by label, and on the medians of scales: one head a stage, on one encoder."
            errors={errors.learning_stages}
            onValues={(learningStages) => change({ learningStages })}
          />
        )}
        <LabelsPart page={page} spec={spec} errors={errors} change={change} />
        {strategy?.needs_model && (
          <Field
            label="Learning rate"
            inputMode="decimal"
            hint={rateHint(page.models.find(({ name }) => name === spec.model))}
            {...field("learningRate", "learning_rate")}
          />
        )}
        {joinsStages(spec, strategy) && (
          <RadioChoices
            legend="How the stages' scores become one"
            value={spec.combine}
            choices={[
              { value: "sum", text: "Sum", help: "Each stage adds its score." },
              { value: "max", text: "Maximum", help: "The stage with the highest score decides." },
            ]}
            errors={errors.combine}
            onValue={(combine) => change({ combine })}
          />
        )}
      </div>
    </details>
  );
}
