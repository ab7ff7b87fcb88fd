import { useMutation } from "@tanstack/react-query";
import { type Practice, practiceApi } from "../../api/practice";
import { Refusal } from "../../components/Refusal";

/** Whether rounds take only people who passed: the one thing that may change at any time. */
export function RequiredButton({ practice, onDone }: { practice: Practice; onDone: () => void }) {
  const { id, title, pass_mark, attempts, is_required } = practice;
  const change = useMutation({
    mutationFn: () => practiceApi.change(id, { title, pass_mark, attempts, is_required: !is_required }),
    onSettled: onDone,
  });
  return (
    <>
      <button
        type="button"
        className="button"
        aria-pressed={is_required}
        aria-label={`Rounds require it: ${title}`}
        disabled={change.isPending}
        onClick={() => change.mutate()}
      >
        Rounds require it
      </button>
      <Refusal error={change.error} />
    </>
  );
}
