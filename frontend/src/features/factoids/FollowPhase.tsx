import { useRefresh } from "../../api/useRefresh";
import { ConfirmButton } from "../../components/ConfirmButton";
import { useProject } from "../../session/project";
import { factoidsApi, setsQuery } from "./api";
import type { Phase, Step, TextSet } from "./types";

/** The phases that can start from the newest closed one. A definition has no consensus phase: its consensus is a list. */
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

export function FollowPhase({ set }: { set: TextSet }) {
  const { id: projectId } = useProject();
  const refresh = useRefresh();
  const follows = set.phases.filter(({ id }) => !set.phases.some((other) => other.follows === id)).at(-1);
  if (!follows || follows.closed_at === null) return null;
  const open = (step: Step) =>
    factoidsApi
      .openPhase(set.id, { kind: follows.kind, step, members: [], given: null, follows: follows.id })
      .then(() => refresh(setsQuery(projectId).queryKey));
  return stepsAfter(follows).map((step, place) => {
    const { button, about } = WORDS[step];
    const isNext = place === 0 && follows.kind === "annotation";
    return (
      <ConfirmButton
        key={step}
        button={button}
        label={`${button} of phase ${follows.number} of ${set.name}`}
        className={isNext ? "button primary" : "button"}
        title={`${button} of phase ${follows.number}?`}
        act={button}
        onConfirm={() => open(step)}
      >
        {[...about, ...(follows.kind === "definition" ? [ABOUT_DEFINITION] : [])].map((words) => (
          <p key={words}>{words}</p>
        ))}
      </ConfirmButton>
    );
  });
}
