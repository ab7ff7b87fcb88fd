import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type BatchSuggestions, batchesApi, type SuggestionMode, suggestionsQuery } from "../../api/batches";
import { isApiError } from "../../api/errors";
import { useRefresh } from "../../api/useRefresh";
import { RadioChoices } from "../../components/Choices";
import { Disclosure } from "../../components/Disclosure";
import { Refusal } from "../../components/Refusal";
import { Select } from "../../components/Select";
import { NotLoaded } from "../../components/states";
import { count, momentHere } from "../../text/format";

type Setting = BatchSuggestions["settings"][number];

const MODES: { value: SuggestionMode; text: string; help: string }[] = [
  { value: "off", text: "Show none", help: "People answer on their own." },
  {
    value: "after",
    text: "After the own first answer",
    help: "People answer on their own first. Where the model differs, they may look at it and change their answer.",
  },
  {
    value: "before",
    text: "Before the answer",
    help: "People see what the model says before they answer. Their answers are then not independent.",
  },
];

/** Whether the annotators of a batch see what a model predicts. */
export function Suggestions({ batchId }: { batchId: string }) {
  return (
    <Disclosure title="Suggestions of a model">
      <Loaded batchId={batchId} />
    </Disclosure>
  );
}

function Loaded({ batchId }: { batchId: string }) {
  const { data, error, refetch } = useQuery(suggestionsQuery(batchId));
  if (!data) return error ? <NotLoaded what="The suggestions" error={error} retry={refetch} /> : null;
  return (
    <div className="stack">
      <p>{nowWords(data.settings[0])}</p>
      {data.may_change && data.offered.length === 0 && (
        <p className="mute">
          No model has predicted items of this batch. An evaluation that also asks about this batch does that.
        </p>
      )}
      {data.may_change && data.offered.length > 0 && <SettingForm batchId={batchId} data={data} />}
      {data.settings.length > 0 && (
        <ul className="small mute">
          {data.settings.map((each) => (
            <li key={each.id}>
              {momentHere(Date.parse(each.set_at))}, {each.set_by}: {settingWords(each)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function nowWords(setting: Setting | undefined): string {
  return `Now: ${setting ? settingWords(setting) : "none are shown."}`;
}

function settingWords(setting: Setting): string {
  if (setting.mode === "off") return "none are shown.";
  const when = setting.mode === "before" ? "before the answer" : "after the own first answer";
  return `${setting.system} of evaluation ${setting.number}, ${when}.`;
}

function SettingForm({ batchId, data }: { batchId: string; data: BatchSuggestions }) {
  const refresh = useRefresh();
  const options = data.offered.map((each) => ({
    value: `${each.evaluation} ${each.system}`,
    text: `${each.system}, evaluation ${each.number} “${each.name}”: ${count(each.n)} of ${count(data.n_items)} items`,
  }));
  const [chosen, setChosen] = useState(options[0]?.value ?? "");
  const [mode, setMode] = useState<SuggestionMode>(data.settings[0]?.mode ?? "off");
  const save = useMutation({
    mutationFn: () => {
      const [evaluation = "", ...system] = chosen.split(" ");
      return batchesApi.suggest(
        batchId,
        mode === "off"
          ? { mode, evaluation: null, system: "" }
          : { mode, evaluation, system: system.join(" ") },
      );
    },
    onSettled: () => refresh(suggestionsQuery(batchId).queryKey),
  });
  const errors = isApiError(save.error) ? save.error.fields : {};
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <RadioChoices legend="When are they shown?" choices={MODES} value={mode} onValue={setMode} />
      {mode !== "off" && (
        <Select
          label="Whose predictions?"
          options={options}
          value={chosen}
          onValue={setChosen}
          errors={errors.system ?? errors.evaluation}
        />
      )}
      <p className="small mute">
        Each annotation records the setting under which it was made. The report shows how often people agree
        with the model, and how often they change their answer.
      </p>
      <Refusal error={save.error} />
      <div className="row">
        <button type="submit" className="button" disabled={save.isPending}>
          Save suggestions
        </button>
      </div>
    </form>
  );
}
