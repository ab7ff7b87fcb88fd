import { useMutation } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { dateNumber } from "../../activeLearning/roundSpec";
import { isApiError } from "../../api/errors";
import { type PracticeDetail, type PracticeItemsBody, practiceApi } from "../../api/practice";
import type { Project } from "../../api/types";
import { bindFields } from "../../components/bindFields";
import { RadioChoices } from "../../components/Choices";
import { Field } from "../../components/Field";
import { Labelled } from "../../components/Labelled";
import { Refusal } from "../../components/Refusal";
import { KeptNotice } from "../../kept/KeptNotice";
import { useKept } from "../../kept/useKept";
import { type Sent, useKeptClientId } from "../../outbox/useKeptClientId";
import { count, counted } from "../../text/format";

type Source = PracticeItemsBody["source"];

const CHOICES = (poolLeft: number) =>
  [
    { value: "ids", text: "Items that I name", help: "By their ids, as the page Items shows them." },
    {
      value: "pool",
      text: "Drawn from the pool",
      help: `Of the ${count(poolLeft)} items that nobody was given yet. They leave the pool.`,
    },
    {
      value: "adjudicated",
      text: "Drawn from adjudicated items",
      help: "Of closed rounds. Their decided labels become the key, which you can change.",
    },
  ] as const;

interface AddItemsProps {
  project: Project;
  practiceId: string;
  onAdded: (detail: PracticeDetail) => void;
}

/** Chooses items for a practice in one of three ways. */
export function AddItems({ project, practiceId, onAdded }: AddItemsProps) {
  const form = useKept(`practice-items.${practiceId}`, {
    ids: "",
    size: "10",
    randomState: dateNumber(new Date()),
    source: "ids" as Source,
    sent: null as Sent | null,
  });
  const { ids, size, randomState, source } = form.value;
  const clientId = useKeptClientId(form);
  const add = useMutation({
    mutationFn: () => {
      const body = {
        source,
        ids: source === "ids" ? ids.split("\n").filter((line) => line.trim()) : [],
        size: source === "ids" ? 1 : Number(size),
        random_state: source === "ids" ? 0 : Number(randomState),
      };
      return practiceApi.addItems(practiceId, { ...body, client_id: clientId(body) });
    },
    onSuccess: (detail) => {
      form.discard();
      onAdded(detail);
    },
  });
  const errors = isApiError(add.error) ? add.error.fields : {};
  const change = (part: Partial<typeof form.value>) => form.set((before) => ({ ...before, ...part }));
  const field = bindFields(form.value, errors, change);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form className="card stack" onSubmit={submit} noValidate aria-labelledby="add-items">
      <h2 id="add-items">Add items</h2>
      <KeptNotice form={form} what="which items to add" />
      <RadioChoices<Source>
        legend="Which"
        value={source}
        choices={CHOICES(project.pool_left)}
        onValue={(value) => {
          add.reset();
          change({ source: value });
        }}
      />
      {source === "ids" ? (
        <Labelled label="Ids, one a line" errors={errors.ids}>
          {(control) => (
            <textarea
              {...control}
              rows={5}
              value={ids}
              onChange={(event) => change({ ids: event.currentTarget.value })}
            />
          )}
        </Labelled>
      ) : (
        <div className="form-grid">
          <Field label="How many" inputMode="numeric" {...field("size")} />
          <Field
            label="Random seed"
            inputMode="numeric"
            hint="The same number draws the same items."
            {...field("randomState", "random_state")}
          />
        </div>
      )}
      <Refusal error={add.error} placed={(name) => ["ids", "size", "random_state"].includes(name)} />
      <div className="row">
        <button type="submit" className="button" disabled={add.isPending}>
          Add
        </button>
        <span role="status">{add.data && `${counted(add.data.added, "item")} added.`}</span>
      </div>
    </form>
  );
}
