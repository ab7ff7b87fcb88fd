import { useQuery } from "@tanstack/react-query";
import type { FieldErrors } from "../api/errors";
import { practicesQuery } from "../api/practice";
import { CheckChoices } from "../components/Choices";
import { Field } from "../components/Field";
import { Select } from "../components/Select";
import { NotLoaded } from "../components/states";
import { counted } from "../text/format";
import { type Checks, checkCount, USUAL_CHECKS } from "./checks";

interface ChecksFieldsProps {
  projectId: string;
  /** How many items the batch has without them. */
  nItems: number;
  checks: Checks;
  errors: FieldErrors;
  onChecks: (checks: Checks) => void;
}

/** Whether items with known answers are mixed in, from which practice, and how many. */
export function ChecksFields({ projectId, nItems, checks, errors, onChecks }: ChecksFieldsProps) {
  return (
    <>
      <CheckChoices
        legend="Check items"
        values={checks ? ["mix"] : []}
        choices={[{ value: "mix", text: "Mix in items with known answers" }]}
        hint="Annotators cannot tell them from the others. Their answers are no data: admins see how many are right."
        errors={errors.check_items}
        onValues={(values) => onChecks(values.length > 0 ? USUAL_CHECKS : null)}
      />
      {checks && <Chosen {...{ projectId, nItems, checks, errors, onChecks }} />}
    </>
  );
}

/** Said before a batch with check items is opened. */
export function CheckWords({ nItems, checks }: { nItems: number; checks?: { percent: number } | null }) {
  const n = checkCount(nItems, checks ?? null);
  if (n === null) return null;
  return <p>On top of them {counted(n, "check item is", "check items are")} mixed in.</p>;
}

function Chosen({
  projectId,
  nItems,
  checks,
  errors,
  onChecks,
}: ChecksFieldsProps & { checks: NonNullable<Checks> }) {
  const { data, error, refetch } = useQuery(practicesQuery(projectId));
  if (!data && error) return <NotLoaded what="The practices" error={error} retry={refetch} />;
  if (!data) return <p className="mute small">Loading the practices</p>;
  const sources = data.practices.filter(({ n_checks, id }) => n_checks > 0 || id === checks.practice);
  const n = checkCount(nItems, checks);
  return (
    <>
      {sources.length === 0 && (
        <p className="notice">
          There is no practice to take them from yet. Make one under Practice, write the key of its items, and
          do not open it: whoever goes through a practice sees its key.
        </p>
      )}
      <div className="form-grid">
        <Select
          label="Practice that they come from"
          value={checks.practice}
          options={[
            { value: "", text: "Choose one" },
            ...sources.map(({ id, number, title, n_checks }) => ({
              value: id,
              text: `${number}. ${title}: ${counted(n_checks, "key")}`,
            })),
          ]}
          hint="One that was never opened, with keys for the published codebook."
          errors={errors["check_items.practice"]}
          onValue={(practice) => onChecks({ ...checks, practice })}
        />
        <Field
          label="Check items in percent of the items"
          inputMode="numeric"
          value={checks.percent}
          hint={n === null ? "From 1 to 20." : `From 1 to 20: ${counted(n, "check item")} beside the others.`}
          errors={errors["check_items.percent"]}
          onValue={(percent) => onChecks({ ...checks, percent })}
        />
      </div>
    </>
  );
}
