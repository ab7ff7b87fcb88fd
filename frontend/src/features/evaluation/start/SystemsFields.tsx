import { CheckChoices } from "../../../components/Choices";
import type { PartProps } from "./spec";

const GROUPS = [
  { kind: "majority", title: "Baselines" },
  { kind: "people", title: "People" },
  { kind: "trained", title: "Models trained on the gold labels, fold by fold" },
] as const;

/** The systems that cost nothing, by kind. */
export function SystemsFields({ choices, spec, change }: PartProps) {
  return GROUPS.map(({ kind, title }) => {
    const systems = choices.systems.filter((system) => system.kind === kind);
    if (systems.length === 0) return null;
    return (
      <CheckChoices
        key={kind}
        legend={title}
        values={spec.systems}
        choices={systems.map(({ name, title, available, note }) => ({
          value: name,
          text: title,
          help: note,
          isOff: !available,
        }))}
        onValues={(systems) => change({ systems })}
      />
    );
  });
}
