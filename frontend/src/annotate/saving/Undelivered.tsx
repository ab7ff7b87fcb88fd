import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "react-router";
import type { Answers, Assignment, SpanLayer, SpanOut } from "../../api/types";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Dialog } from "../../components/Dialog";
import { Quote } from "../../components/Quote";
import {
  latestOf,
  mayCorrect,
  maySendAgain,
  refusalWords,
  refusedEntries,
  waitsForOthers,
} from "../../outbox/copy";
import { useOutbox, useOutboxState } from "../../outbox/OutboxProvider";
import { isFlag, isSubmit, ofList, queueOf } from "../../outbox/order";
import type { FlagEntry, StepEntry, SubmitEntry } from "../../outbox/types";
import { counted } from "../../text/format";
import { answerName } from "../copy";

/** What the server did not take: each answer is kept here until the person decides about it. */
export function Undelivered({ onClose }: { onClose: () => void }) {
  const { entries } = useOutboxState();
  return (
    <Dialog title="Not sent: your decision" onClose={onClose}>
      <p className="mute small">
        Nothing is lost: what is listed here stays in this browser until you decide.
      </p>
      {refusedEntries(entries).map((entry) =>
        isSubmit(entry) ? (
          <UndeliveredEntry
            key={queueOf(entry)}
            refused={entry}
            latest={latestOf(entries, entry)}
            onClose={onClose}
          />
        ) : isFlag(entry) ? (
          <UndeliveredFlag key={queueOf(entry)} refused={entry} />
        ) : (
          <UndeliveredSteps key={queueOf(entry)} refused={entry} onClose={onClose} />
        ),
      )}
    </Dialog>
  );
}

interface UndeliveredEntryProps {
  refused: SubmitEntry;
  latest: SubmitEntry;
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
    <section className="undelivered stack" aria-label={beginning(assignment.item.text)}>
      <p className="quoted">{beginning(assignment.item.text)}</p>
      <p>{refusalWords(refused)}</p>
      <dl className="versions">
        <Version title="Yours" said={latest.body} others={theirs?.spans ?? null} assignment={assignment} />
        {theirs && (
          <Version title="On the server" said={theirs} others={latest.body.spans} assignment={assignment} />
        )}
      </dl>
      <div className="row">
        {maySendAgain(refused) && (
          <button
            type="button"
            className={waitsForOthers(refused) ? "button" : "button primary"}
            onClick={() => void outbox.keepMine(assignment.id)}
          >
            {waitsForOthers(refused) ? "Try again" : "Send mine"}
          </button>
        )}
        {mayCorrect(refused) && (
          <button type="button" className="button primary" onClick={() => void correct()}>
            Correct it
          </button>
        )}
        <ConfirmButton
          button={theirs ? "Keep the server's" : "Discard mine"}
          title="Discard your answer?"
          act="Discard mine"
          danger
          onConfirm={discard}
        >
          <p className="quoted">{beginning(assignment.item.text)}</p>
          <p>
            What you answered here, your comment too, is deleted and cannot be brought back.{" "}
            {theirs && "What is on the server stays. "}
            Other answers are not touched.
          </p>
        </ConfirmButton>
      </div>
    </section>
  );
}

function UndeliveredFlag({ refused }: { refused: FlagEntry }) {
  const outbox = useOutbox();
  const queue = queueOf(refused);
  return (
    <section className="undelivered stack" aria-label={`Flag: ${beginning(refused.flagged.text)}`}>
      <p className="quoted">{beginning(refused.flagged.text)}</p>
      <p>
        You flagged this item{refused.body.note && <>: “{refused.body.note}”</>}. {refusalWords(refused)}
      </p>
      <div className="row">
        <button type="button" className="button" onClick={() => void outbox.sendFlagAgain(queue)}>
          Try again
        </button>
        <ConfirmButton
          button="Discard the flag"
          title="Discard the flag?"
          act="Discard the flag"
          danger
          onConfirm={() => outbox.discard(queue)}
        >
          <p>What you wrote is deleted, and no admin sees it. Your answers are not touched.</p>
        </ConfirmButton>
      </div>
    </section>
  );
}

/** What became of the list meanwhile is shown on its own page. */
function UndeliveredSteps({ refused, onClose }: { refused: StepEntry; onClose: () => void }) {
  const { entries } = useOutboxState();
  const { list, projectId } = refused;
  return (
    <section className="undelivered stack" aria-label={list.set}>
      <p className="quoted">{list.set}</p>
      <p>
        {counted(ofList(entries, list.id).length, "step")} on this factoid list. {refusalWords(refused)}
      </p>
      <div className="row">
        <Link
          className="button primary"
          to={`/projects/${projectId}/factoids/lists/${list.id}`}
          onClick={onClose}
        >
          Decide on the list's page
        </Link>
      </div>
    </section>
  );
}

/** A long text is known by how it begins. */
function beginning(text: string): string {
  const letters = [...text.slice(0, 1_000)];
  return letters.length > 400 ? `${letters.slice(0, 400).join("")} …` : text;
}

interface VersionProps {
  title: string;
  said: { answers: Answers; spans: SpanOut[]; comment: string; skip_reason?: string | null };
  /** The spans of the other version: only those that it has not are listed. */
  others: SpanOut[] | null;
  assignment: Assignment;
}

function Version({ title, said, others, assignment }: VersionProps) {
  const { stages: all, span_layer: layer } = assignment.codebook.definition;
  const stages = all.filter((stage) => stage.key in said.answers);
  return (
    <div>
      <dt>{title}</dt>
      {said.skip_reason && <dd>skipped: {said.skip_reason}</dd>}
      {stages.length === 0 && all.length > 0 && !said.skip_reason && <dd>no answers</dd>}
      {stages.map((stage) => (
        <dd key={stage.key}>
          {stage.title} <b>{answerName(stage, said.answers[stage.key])}</b>
        </dd>
      ))}
      {layer && <SpansSaid spans={said.spans} others={others} layer={layer} />}
      {said.comment && (
        <dd dir="auto">
          Comment <b>{said.comment}</b>
        </dd>
      )}
    </div>
  );
}

const LISTED = 5;

function SpansSaid({
  spans,
  others,
  layer,
}: {
  spans: SpanOut[];
  others: SpanOut[] | null;
  layer: SpanLayer;
}) {
  const known = new Set((others ?? []).map((span) => JSON.stringify(span)));
  const own = spans.filter((span) => !known.has(JSON.stringify(span)));
  const name = (key: string) => layer.categories.find((category) => category.key === key)?.name ?? key;
  return (
    <>
      <dd>
        {counted(spans.length, "span")}
        {others && `, ${own.length} of them only here`}
      </dd>
      {own.slice(0, LISTED).map((span) => (
        <dd key={JSON.stringify(span)}>
          {name(span.category)} <Quote quote={span.quote} longest={400} /> {span.comment}
        </dd>
      ))}
      {own.length > LISTED && <dd>and {own.length - LISTED} more</dd>}
    </>
  );
}
