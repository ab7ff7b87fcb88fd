import { RadioChoices } from "../components/Choices";
import { Field } from "../components/Field";
import { percent } from "../text/format";
import { canDivide, partOfAll, partsShown, type Shares } from "./shares";

interface SharesFieldsProps {
  people: readonly { value: string; text: string }[];
  /** Those of the people who were chosen. */
  annotators: readonly string[];
  perItem: number;
  shares: Shares;
  errors?: string[];
  onShares: (shares: Shares) => void;
}

/** Who gives how many of the answers: whoever asks first, or each a share that is dealt out when the batch opens. */
export function SharesFields({ people, annotators, perItem, shares, errors, onShares }: SharesFieldsProps) {
  if (!canDivide(annotators, perItem)) return null;
  const chosen = people.filter(({ value }) => annotators.includes(value));
  return (
    <>
      <RadioChoices
        legend="How the answers are divided"
        value={shares === null ? "first" : "shares"}
        choices={[
          { value: "first", text: "Whoever asks first answers" },
          {
            value: "shares",
            text: "By shares",
            help: "The items are dealt out at random when the batch opens. Everybody then has their own.",
          },
        ]}
        errors={errors}
        onValue={(way) => onShares(way === "first" ? null : {})}
      />
      {shares !== null && (
        <div className="form-grid">
          {chosen.map(({ value, text }) => {
            const part = partOfAll(shares, annotators, value);
            return (
              <Field
                key={value}
                label={`Parts of ${text}`}
                inputMode="numeric"
                value={partsShown(shares, value)}
                hint={part === null ? undefined : `${percent(part)} of all answers`}
                onValue={(parts) => onShares({ ...shares, [value]: parts })}
              />
            );
          })}
        </div>
      )}
    </>
  );
}
