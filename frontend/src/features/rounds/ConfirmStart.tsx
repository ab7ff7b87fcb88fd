import { CheckWords } from "../../activeLearning/ChecksFields";
import type { RoundBody, RoundsPage } from "../../api/rounds";
import { Confirm } from "../../components/Confirm";
import { counted } from "../../text/format";

interface ConfirmStartProps {
  body: RoundBody;
  page: RoundsPage;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Names what a start freezes and gives out. What the server refuses is said in the form, at its fields. */
export function ConfirmStart({ body, page, busy, onConfirm, onClose }: ConfirmStartProps) {
  const { number } = page.next;
  const items = counted(body.query_size, "item");
  const people = counted(body.annotators.length, "person", "people");
  const assignments = counted(body.query_size * body.annotators_per_item, "assignment");
  const last = page.rounds.find((round) => round.batch);
  return (
    <Confirm
      title={`Start round ${number}?`}
      act={`Start round ${number}`}
      busy={busy}
      error={null}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        It chooses {items} of the pool and gives each to{" "}
        {counted(body.annotators_per_item, "person", "people")}: {assignments} for {people}.
      </p>
      <CheckWords nItems={body.query_size} checks={body.check_items} />
      {last ? (
        <p>
          <b>It freezes the answers given so far,</b> those of round {last.number} too: nobody can change them
          any more, and the new round learns from them.
        </p>
      ) : (
        <p>Nothing is frozen but the answers of a complete prototype batch, where there is one.</p>
      )}
      <p>
        Until the first answer it can be cancelled: its items go back into the pool
        {last ? ", and what it froze can be changed again." : "."}
      </p>
    </Confirm>
  );
}
