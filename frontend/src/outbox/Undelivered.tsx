import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { Answers, Assignment } from "../api/types";
import { Dialog } from "../components/Dialog";
import { useOutbox, useOutboxState } from "./OutboxProvider";
import type { OutboxEntry } from "./types";
import { latestOf, mayCorrect, maySendAgain, refusalWords, refusedAssignments } from "./words";

/** What the server did not take: each answer is kept here until the person decides about it. */
export function Undelivered({ onClose }: { onClose: () => void }) {
  const { entries } = useOutboxState();
  return (
    <Dialog title="Not sent: your decision" onClose={onClose}>
      <p className="mute small">Nothing is lost: these answers stay in this browser until you decide.</p>
      {refusedAssignments(entries).map((entry) => (
        <UndeliveredEntry
          key={entry.assignment.id}
          refused={entry}
          latest={latestOf(entries, entry)}
          onClose={onClose}
        />
      ))}
    </Dialog>
  );
}

interface UndeliveredEntryProps {
  refused: OutboxEntry;
  latest: OutboxEntry;
  onClose: () => void;
}

function UndeliveredEntry({ refused, latest, onClose }: UndeliveredEntryProps) {
  const outbox = useOutbox();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { assignment } = refused;
  const theirs = refused.refusal?.current ?? null;
  const correct = async () => {
    await outbox.backToDraft(assignment.id);
    onClose();
    await navigate(`/projects/${refused.projectId}/label/${assignment.id}`);
  };
  const discard = async () => {
    await outbox.discard(assignment.id);
    // An item that has no stored answer is to be done after all.
    await client.invalidateQueries({ queryKey: ["next", refused.projectId] });
  };
  return (
    <section className="undelivered stack" aria-label={assignment.item.text}>
      <p className="quoted">{assignment.item.text}</p>
      <p>{refusalWords(refused)}</p>
      <dl className="versions">
        <Version title="Yours" answers={latest.body.answers} assignment={assignment} />
        {theirs && <Version title="On the server" answers={theirs.answers} assignment={assignment} />}
      </dl>
      <div className="row">
        {maySendAgain(refused) && (
          <button
            type="button"
            className="button primary"
            onClick={() => void outbox.keepMine(assignment.id)}
          >
            Send mine
          </button>
        )}
        {mayCorrect(refused) && (
          <button type="button" className="button primary" onClick={() => void correct()}>
            Correct it
          </button>
        )}
        <button type="button" className="button" onClick={() => void discard()}>
          {theirs ? "Keep the server's" : "Discard mine"}
        </button>
      </div>
    </section>
  );
}

function Version({
  title,
  answers,
  assignment,
}: {
  title: string;
  answers: Answers;
  assignment: Assignment;
}) {
  const stages = assignment.codebook.definition.stages.filter((stage) => stage.key in answers);
  return (
    <div>
      <dt>{title}</dt>
      {stages.length === 0 && <dd>no answers</dd>}
      {stages.map((stage) => (
        <dd key={stage.key}>
          {stage.title} <b>{stage.labels.find((label) => label.key === answers[stage.key])?.name}</b>
        </dd>
      ))}
    </div>
  );
}
