import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { answerName } from "../../annotate/copy";
import { changesDone, type DoneItem, doneItems } from "../../annotate/doneItems";
import { doneQuery } from "../../api/queries";
import type { CodebookDefinition } from "../../api/types";
import { Failure, Loading } from "../../components/states";
import { useOutbox, useOutboxState } from "../../outbox/OutboxProvider";
import { useProject } from "../../session/project";
import { counted } from "../../text/format";
import "./answers.css";

/** The person's own answers in the open batch, each a way back to it. */
export function Component() {
  const project = useProject();
  const outbox = useOutboxState();
  const { data, error, refetch } = useQuery(doneQuery(project.id));
  if (error) return <Failure error={error} retry={refetch} />;
  if (!data) return <Loading what="your answers" />;
  const items = doneItems(data.assignments, project.id, outbox);
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>Your answers in this batch</h1>
        <p className="mute">You can change them until the next round begins.</p>
      </div>
      {items.length === 0 && <p className="card">None yet. What you submit appears here.</p>}
      <ol className="answer-list">
        {items.map((item) => (
          <li key={item.id}>
            <AnswerLine item={item} projectId={project.id} codebook={data.codebook?.definition} />
          </li>
        ))}
      </ol>
      <p>
        <Link className="button" to={`/projects/${project.id}/label`}>
          Go on labelling
        </Link>
      </p>
    </main>
  );
}

interface AnswerLineProps {
  item: DoneItem;
  projectId: string;
  codebook: CodebookDefinition | undefined;
}

function AnswerLine({ item, projectId, codebook }: AnswerLineProps) {
  const outbox = useOutbox();
  const isDraft = changesDone(outbox.drafts.get(item.id));
  return (
    <Link className="card answer-line" to={`/projects/${projectId}/label/${item.id}`}>
      <span className="read">{item.text}</span>
      <span className="small mute">{stateWords(item, isDraft, codebook)}</span>
    </Link>
  );
}

function stateWords(item: DoneItem, isDraft: boolean, codebook?: CodebookDefinition): string {
  const done = doneWords(item, codebook);
  const saved = item.saved ? done : `${done}, not saved yet`;
  return isDraft ? `${saved}; changed, not submitted` : saved;
}

function doneWords({ state, answers, nSpans }: DoneItem, codebook?: CodebookDefinition): string {
  if (state === "skipped") return "skipped";
  const marked = nSpans > 0 || codebook?.span_layer ? [counted(nSpans, "span")] : [];
  const answered = [
    ...Object.entries(answers).map(([stage, label]) => named(stage, label, codebook)),
    ...marked,
  ].join(" · ");
  return state === "surplus"
    ? `${answered}, after the item had gone to somebody else; kept as an extra`
    : answered;
}

/** By the codebook's names; by its keys while an answer of this browser came before the first list from the server. */
function named(key: string, label: string, codebook?: CodebookDefinition): string {
  const stage = codebook?.stages.find((each) => each.key === key);
  return stage ? `${stage.title}: ${answerName(stage, label)}` : `${key}: ${label}`;
}
