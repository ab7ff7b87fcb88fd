import { useRefresh } from "../../api/useRefresh";
import { ConfirmButton } from "../../components/ConfirmButton";
import { useProject } from "../../session/project";
import { factoidsApi, setsQuery } from "./api";
import type { Phase, Step } from "./types";

/** The steps that can start from a closed phase. A definition has no consensus phase: its consensus is a list. */
function stepsAfter({ kind, step }: Phase): Exclude<Step, "independent">[] {
  if (step === "consensus") return [];
  const consensus = kind === "annotation" ? (["consensus"] as const) : [];
  return step === "independent" ? ["second_look", ...consensus] : [...consensus];
}

const WORDS: Record<Exclude<Step, "independent">, { button: string; about: string[] }> = {
  second_look: {
    button: "Open the second look",
    about: [
      "Each person gets a copy of their own list, with those of their answers that differ from somebody else’s.",
      "They confirm or correct each, without names and without discussion. The first answers stay as they are.",
    ],
  },
  consensus: {
    button: "Open the consensus",
    about: [
      "One list takes over what all agree on. What still differs is open.",
      "An adjudicator, or the group around one screen, decides each open item with a note.",
    ],
  },
};

const ABOUT_DEFINITION =
  "It needs judged pairs: what differs is a text that one of two corresponding factoids has, and the other has not.";

interface FollowPhaseProps {
  /** A closed phase that no other follows. */
  phase: Phase;
  set: { id: string; name: string };
  /** It is the newest phase: what follows it is what comes next. */
  isNewest: boolean;
}

export function FollowPhase({ phase, set, isNewest }: FollowPhaseProps) {
  const { id: projectId } = useProject();
  const refresh = useRefresh();
  const open = (step: Step) =>
    factoidsApi
      .openPhase(set.id, { kind: phase.kind, step, members: [], given: null, follows: phase.id })
      .then(() => refresh(setsQuery(projectId).queryKey));
  return stepsAfter(phase).map((step, place) => {
    const { button, about } = WORDS[step];
    const isNext = isNewest && place === 0 && phase.kind === "annotation";
    return (
      <ConfirmButton
        key={step}
        button={button}
        label={`${button} of phase ${phase.number} of ${set.name}`}
        className={isNext ? "button primary" : "button"}
        title={`${button} of phase ${phase.number}?`}
        act={button}
        onConfirm={() => open(step)}
      >
        {[...about, ...(phase.kind === "definition" ? [ABOUT_DEFINITION] : [])].map((words) => (
          <p key={words}>{words}</p>
        ))}
      </ConfirmButton>
    );
  });
}
