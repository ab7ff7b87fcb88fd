import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { Thread } from "../../annotate/threads/Thread";
import { notesQuery, type OwnFlag, ownFlagsQuery } from "../../api/flags";
import { Pages } from "../../components/Pages";
import { Failure, Loading } from "../../components/states";
import { useProject, useZone } from "../../session/project";
import { batchName, moment } from "../../text/format";
import "./flags.css";

/** The person's own flags, with what the admins answered; the way back to each item. */
export function Component() {
  const project = useProject();
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(ownFlagsQuery(project.id, { page }));
  if (error && !data) return <Failure error={error} retry={refetch} />;
  if (!data) return <Loading what="your flags" />;
  return (
    <main className="page narrow" id="main">
      <div className="page-head">
        <h1>Your flags</h1>
        <p className="mute">
          What you asked the admins about items, and what they answered. No other annotator sees it. Notes are
          for everybody.
        </p>
      </div>
      {data.n === 0 && (
        <p className="card">None yet. While you label, “Flag” asks the admins about the item at hand.</p>
      )}
      <Notes />
      <ul className="own-flags">
        {data.flags.map((flag) => (
          <li key={flag.id} className="card stack-tight">
            <FlagCard flag={flag} />
          </li>
        ))}
      </ul>
      <Pages page={data.page} n_pages={data.n_pages} onPage={setPage} />
    </main>
  );
}

/** What the admins told everybody; the help beside an item shows those that hold for it. */
function Notes() {
  const zone = useZone();
  const project = useProject();
  const { data = [] } = useQuery(notesQuery(project.id));
  const notes = data.filter(({ withdrawn_at }) => withdrawn_at === null);
  if (notes.length === 0) return null;
  return (
    <section className="card stack" aria-labelledby="notes">
      <h2 id="notes">Notes to everybody who labels</h2>
      <ul className="codebook-notes">
        {notes.map((note) => (
          <li key={note.id}>
            <p className="small mute">{moment(note.published_at, zone)}</p>
            <p className="note-words">{note.words}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function FlagCard({ flag }: { flag: OwnFlag }) {
  const zone = useZone();
  const project = useProject();
  const [wasUnread] = useState(flag.unread > 0);
  return (
    <>
      <p className="small mute">
        {wasUnread && <b className="new-answer">New answer</b>} {moment(flag.created_at, zone)} ·{" "}
        {batchName(flag.batch_kind, flag.batch_number)} · {stateWords(flag)}
      </p>
      <p className="read">{flag.text}</p>
      <p className="asked">{flag.words || "(no note)"}</p>
      <Thread flagId={flag.id} messages={flag.messages} isOwn isUnread={flag.unread > 0} refreshes={[]}>
        <Link className="button quiet" to={`/projects/${project.id}/label/${flag.assignment}`}>
          {flag.final ? "Look at the item" : "Open the item"}
        </Link>
      </Thread>
    </>
  );
}

function stateWords({ resolved, messages }: OwnFlag): string {
  if (resolved) return "resolved";
  return messages.some(({ is_asker }) => !is_asker) ? "answered" : "no answer yet";
}
