import { Select } from "../../../components/Select";
import { counted } from "../../../text/format";
import { splitWords } from "../copy";
import type { SplitCounts } from "../figures";
import type { PartProps } from "./spec";

/** Which targets and sources it is about. */
export function DataFields({ choices, spec, errors, change }: PartProps) {
  const chosen = choices.data.find(({ key }) => key === spec.data);
  return (
    <div className="form-grid">
      <Select
        label="Data"
        hint={
          chosen?.reason ||
          `${counted(all(chosen?.sources), "source")}, ${counted(all(chosen?.targets), "target")}. A release never changes, so that others can repeat what you do.`
        }
        errors={errors.data}
        value={spec.data}
        options={choices.data.map(({ key, title, usable }) => ({
          value: key,
          text: usable ? title : `${title} (cannot be used)`,
        }))}
        onValue={(data) => change({ data })}
      />
      <Select
        label="Tested on"
        hint="Models never learn from these. The validation targets decide when training stops."
        errors={errors.split}
        value={spec.split}
        options={(["test", "valid"] as const).map((value) => ({
          value,
          text: `the ${splitWords(value)} targets`,
        }))}
        onValue={(split) => change({ split: split as "test" | "valid" })}
      />
    </div>
  );
}

function all(counts: SplitCounts | undefined): number {
  return counts ? counts.train + counts.valid + counts.test : 0;
}
