import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type ReactNode, type SubmitEvent, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { answerName } from "../../annotate/copy";
import { changesDone, type DoneItem, doneItems } from "../../annotate/doneItems";
import { doneQuery } from "../../api/queries";
import type { CodebookDefinition } from "../../api/types";
import { Field } from "../../components/Field";
import { Failure, Loading } from "../../components/states";
import { useOutbox, useOutboxState } from "../../outbox/OutboxProvider";
import { useProject } from "../../session/project";
import { batchName, counted } from "../../text/format";
import { ownSearchQuery } from "./api";
import "./answers.css";

/** The person's own answers: those of the open batch, each a way back to it, or what a search finds in all batches. */
export function Component() {
  const [address, setAddress] = useSearchParams();
  const q = address.get("q");
  const search = <Search key={q} q={q ?? ""} onSearch={(words) => setAddress(words ? { q: words } : {})} />;
  return q ? <OwnFound key={q} q={q} search={search} /> : <OpenBatch search={search} />;
}

interface SearchProps {
  q: string;
  onSearch: (q: string) => void;
}

function Search({ q, onSearch }: SearchProps) {
  const [words, setWords] = useState(q);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSearch(words.trim());
  };
  return (
    <form className="card answer-search" aria-label="Search your answers" onSubmit={submit}>
      <Field
        label="Search in all your batches"
        type="search"
        value={words}
        maxLength={500}
        hint={'Parts of words count. "A phrase" stands together; -word leaves out.'}
        onValue={setWords}
      />
      <div className="row">
        <button type="submit" className="button primary">
          Search
        </button>
        {q && (
          <button type="button" className="button" onClick={() => onSearch("")}>
            Back to this batch
          </button>
        )}
      </div>
    </form>
  );
}

/** What matches, the last done first. */
function OwnFound({ q, search }: { q: string; search: ReactNode }) {
  const project = useProject();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    ownSearchQuery(project.id, q),
  );
  const books = new Map(
    data?.pages.flatMap(({ codebooks }) => codebooks).map(({ id, definition }) => [id, definition]),
  );
  const found = data?.pages.flatMap(({ assignments }) => assignments) ?? [];
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>Your answers</h1>
      </div>
      {search}
      {error && !data && <Failure error={error} retry={refetch} />}
      {!data && !error && <Loading what="your answers" />}
      {data && found.length === 0 && (
        <p className="card" role="status">
          Nothing that you have done matches.
        </p>
      )}
      <ol className="answer-list">
        {found.map(({ n_spans: nSpans, batch, codebook, ...item }) => (
          <li key={item.id}>
            <AnswerLine
              item={{ ...item, nSpans, saved: true }}
              projectId={project.id}
              codebook={books.get(codebook)}
              batch={batchName(batch.kind, batch.number)}
            />
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <div className="row">
          <button
            type="button"
            className="button"
            disabled={isFetchingNextPage}
            onClick={() => fetchNextPage()}
          >
            Show more
          </button>
        </div>
      )}
    </main>
  );
}

/** The open batch, with what is not saved yet. */
function OpenBatch({ search }: { search: ReactNode }) {
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
      {search}
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
  /** Its name, where items of several batches stand together. */
  batch?: string;
}

function AnswerLine({ item, projectId, codebook, batch }: AnswerLineProps) {
  const outbox = useOutbox();
  const isDraft = changesDone(outbox.drafts.get(item.id));
  return (
    <Link className="card answer-line" to={`/projects/${projectId}/label/${item.id}`}>
      <span className="read">{item.text}</span>
      <span className="small mute">
        {batch && `${batch} · `}
        {stateWords(item, isDraft, codebook)}
      </span>
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
