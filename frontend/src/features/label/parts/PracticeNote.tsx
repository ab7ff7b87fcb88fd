import { useMutation, useQuery } from "@tanstack/react-query";
import { type OwnPractice, ownPracticesQuery, practiceApi } from "../../../api/practice";
import { doneQuery, nextQuery } from "../../../api/queries";
import { useRefresh } from "../../../api/useRefresh";
import { Refusal } from "../../../components/Refusal";
import { useProject } from "../../../session/project";
import { counted } from "../../../text/format";

interface PracticeNoteProps {
  projectId: string;
  /** The items at hand are those of a practice now. */
  onBegun: () => void;
}

/** The practices that the person can begin or is at, and how the finished ones went. */
export function PracticeNote({ projectId, onBegun }: PracticeNoteProps) {
  // The page asks; a note that asked with each item would lead a person who is signed out away from their work.
  const { data } = useQuery({ ...ownPracticesQuery(projectId), enabled: false });
  return data?.practices.map((practice) => (
    <OnePractice key={practice.id} practice={practice} projectId={projectId} onBegun={onBegun} />
  ));
}

function OnePractice({ practice, projectId, onBegun }: PracticeNoteProps & { practice: OwnPractice }) {
  const refresh = useRefresh();
  const begin = useMutation({
    mutationFn: () => practiceApi.begin(practice.id),
    onSuccess: async () => {
      await refresh(nextQuery(projectId).queryKey, doneQuery(projectId).queryKey);
      onBegun();
    },
    onSettled: () => refresh(ownPracticesQuery(projectId).queryKey),
  });
  const { has_spans: hasSpans } = useProject();
  const isAhead = practice.may_begin || practice.standing === "working";
  const words = wordsOf(practice);
  if (words === null) return null;
  return (
    <div className="notice">
      <p role="status">
        <b>Practice: {practice.title}.</b> {words}
        {isAhead && hasSpans && " Answers are compared with the key; spans are not."}
      </p>
      {practice.may_begin && (
        <button type="button" className="button" disabled={begin.isPending} onClick={() => begin.mutate()}>
          {practice.standing === "again" ? "Try again" : "Begin the practice"}
        </button>
      )}
      <Refusal error={begin.error} />
    </div>
  );
}

/** null: there is nothing to say of it. */
function wordsOf({ standing, attempts, attempts_left, pass_mark, may_begin, is_required }: OwnPractice) {
  const last = attempts.at(-1);
  const result = last && `${last.right} of ${last.total} right in attempt ${last.number}.`;
  switch (standing) {
    case "not_begun":
      return may_begin
        ? `After each answer you see the key. You pass with ${pass_mark} % right.${
            is_required ? " Rounds take only people who passed." : ""
          }`
        : null;
    case "working":
      return `Attempt ${last?.number}. After each answer you see the key. What you answer here counts nowhere else.`;
    case "again":
      return `${result} ${pass_mark} % are needed. You have ${counted(attempts_left, "attempt")} left.`;
    case "failed":
      return `${result} ${pass_mark} % were needed, and no attempt is left. Ask an admin.`;
    case "passed":
      return `${result} You passed.`;
  }
}
