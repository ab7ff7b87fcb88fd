import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ChecksFields } from "../../activeLearning/ChecksFields";
import { CHECK_FIELDS, type Checks, checksBody, checksFaults } from "../../activeLearning/checks";
import { SharesFields } from "../../activeLearning/SharesFields";
import { type Shares, sharesBody, sharesFaults } from "../../activeLearning/shares";
import { type FieldErrors, isApiError } from "../../api/errors";
import { membersQuery } from "../../api/members";
import { useRefresh } from "../../api/useRefresh";
import { useAnnounce } from "../../components/Announcer";
import { CheckChoices, RadioChoices } from "../../components/Choices";
import { Confirm } from "../../components/Confirm";
import { Field } from "../../components/Field";
import { Refusal } from "../../components/Refusal";
import { KeptNotice } from "../../kept/KeptNotice";
import { useKept } from "../../kept/useKept";
import { useClientId } from "../../outbox/useClientId";
import { useProject } from "../../session/project";
import { count, counted } from "../../text/format";
import { type Act, type ActBody, type Chosen, itemsApi, itemsKey, previewQuery } from "./api";

interface BulkDialogProps {
  act: Act;
  /** "the 3 ticked items". */
  what: string;
  chosen: Chosen;
  onDone: () => void;
  onClose: () => void;
}

const WORDS: Record<Act, { title: string; act: string; about: string; others: string; did: string }> = {
  leave_out: {
    title: "Leave items out?",
    act: "Leave them out",
    about: "can be left out",
    others: "The others are out already, or too short or too long.",
    did: "left out",
  },
  take_back: {
    title: "Take items back?",
    act: "Take them back",
    about: "were left out by an admin",
    others: "The others stay as they are.",
    did: "in the pool again",
  },
  open_batch: {
    title: "Open a batch?",
    act: "Open the batch",
    about: "are in the pool and were given to nobody",
    others: "The others stay as they are.",
    did: "in a new batch",
  },
};
const PLACED = ["reason", "annotators", "annotators_per_item", "shares", ...CHECK_FIELDS];

/** Says how many items an act is about, and asks for what it needs. */
export function BulkDialog({ act, what, chosen, onDone, onClose }: BulkDialogProps) {
  const project = useProject();
  const words = WORDS[act];
  const preview = useQuery(previewQuery(project.id, act, chosen));
  const reason = useKept(`leave-out-many.${project.id}`, "");
  const [people, setPeople] = useState<string[]>([]);
  // Null: not typed yet, and as many as there are people. What was cleared stays empty.
  const [perItem, setPerItem] = useState<string | null>(null);
  const [asRound, setAsRound] = useState(false);
  const [shares, setShares] = useState<Shares>(null);
  const [checks, setChecks] = useState<Checks>(null);
  const answers = perItem === null ? people.length || 1 : Number(perItem);
  const raters = useRaters();
  const doing = useDoing(words.did);
  const [isTried, setIsTried] = useState(false);
  const faults =
    act === "open_batch" ? { ...sharesFaults(shares, people, answers), ...checksFaults(checks) } : {};
  const refused = isApiError(doing.error) ? doing.error.fields : {};
  const errors: FieldErrors = { ...refused, ...(isTried ? faults : {}) };
  const n = preview.data?.acted_on ?? 0;
  const body = {
    act,
    ...chosen,
    expected: n,
    ...(act === "leave_out" && { reason: reason.value }),
    ...(act === "open_batch" && {
      annotators: people,
      annotators_per_item: answers,
      as_round: asRound,
      ...sharesBody(shares, people, answers),
      ...checksBody(checks),
    }),
  };
  const confirm = () => {
    setIsTried(true);
    if (Object.keys(faults).length > 0) return;
    doing.mutate(body, {
      onSuccess: () => {
        reason.discard();
        onDone();
        onClose();
      },
      // What matches has changed: the next try is about what is there then.
      onError: () => preview.refetch(),
    });
  };
  return (
    <Confirm
      title={words.title}
      act={words.act}
      danger={act === "leave_out"}
      busy={doing.isPending || preview.isFetching}
      blocked={n === 0 || (act === "leave_out" && reason.value.trim() === "")}
      error={null}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p role="status">
        {preview.data
          ? `Of ${what}, ${count(n)} of ${count(preview.data.chosen)} ${words.about}.`
          : "Counting the items"}{" "}
        {preview.data && n < preview.data.chosen && words.others}
      </p>
      <Refusal error={preview.error} />
      {act === "leave_out" && (
        <>
          <p>
            They are never drawn again, and later rounds do not learn from them. Whoever has not answered them
            is not given them any more. Answers that were given stay.
          </p>
          <KeptNotice form={reason} what="the reason" />
          <Field
            label="Why"
            value={reason.value}
            maxLength={1000}
            data-first-focus
            hint="Stands in the log, in each item's history and in exports."
            errors={errors.reason}
            onValue={reason.set}
          />
        </>
      )}
      {act === "open_batch" && (
        <>
          <p>They leave the pool for good.</p>
          <RadioChoices
            legend="What its answers are for"
            value={asRound ? "round" : "outside"}
            choices={[
              {
                value: "outside",
                text: "Outside the rounds",
                help: "No model learns from it, and no release holds it. Its labels show here, in its file and in the validation of spans.",
              },
              {
                value: "round",
                text: "The next round",
                help: "It counts as every round does: in agreement, report, exports and releases, in what later rounds learn from, and in the budget. It freezes the answers of the rounds before, and says that an admin chose its items. No other round may be open.",
              },
            ]}
            onValue={(kind) => setAsRound(kind === "round")}
          />
          <WhoAnnotates raters={raters} people={people} errors={errors.annotators} onPeople={setPeople} />
          <Field
            label="Annotators per item"
            inputMode="numeric"
            value={perItem ?? String(people.length || "")}
            errors={errors.annotators_per_item}
            onValue={setPerItem}
          />
          <SharesFields
            people={raters}
            annotators={people}
            perItem={answers}
            shares={shares}
            errors={errors.shares}
            onShares={setShares}
          />
          <ChecksFields
            projectId={project.id}
            nItems={n}
            checks={checks}
            errors={errors}
            onChecks={setChecks}
          />
        </>
      )}
      <Refusal error={doing.error} placed={(field) => PLACED.includes(field)} />
    </Confirm>
  );
}

/** Everybody who may annotate now. */
function useRaters(): { value: string; text: string }[] {
  const { id } = useProject();
  const { data } = useQuery({ ...membersQuery(id), refetchInterval: false });
  const raters = (data ?? []).filter(({ may, is_active }) => is_active && may.includes("rate"));
  return raters.map(({ id: value, display_name: text }) => ({ value, text }));
}

interface WhoAnnotatesProps {
  raters: { value: string; text: string }[];
  people: string[];
  errors?: string[];
  onPeople: (people: string[]) => void;
}

function WhoAnnotates({ raters, people, errors, onPeople }: WhoAnnotatesProps) {
  return (
    <CheckChoices
      legend="Who annotates it"
      inColumns
      values={people}
      choices={raters}
      errors={errors}
      onValues={onPeople}
    />
  );
}

function useDoing(did: string) {
  const { id } = useProject();
  const idOf = useClientId();
  const refresh = useRefresh();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (body: ActBody) => itemsApi.act(id, { ...body, client_id: idOf(body) }),
    onSuccess: ({ n }) => announce(`${counted(n, "item")} ${n === 1 ? "is" : "are"} ${did}.`),
    onSettled: () =>
      refresh(itemsKey(id), ...["project", "rounds", "overview", "chosen-batches"].map((name) => [name, id])),
  });
}
