import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { PublishNote } from "../../annotate/threads/PublishNote";
import type { CodebookVersion } from "../../api/codebooks";
import { type CodebookNote, flagsApi, notesKey, notesQuery } from "../../api/flags";
import type { Project } from "../../api/types";
import { useRefresh } from "../../api/useRefresh";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Failure } from "../../components/states";
import { useZone } from "../../session/project";
import { moment } from "../../text/format";

/** What was told to everybody who labels, beside the codebook. */
export function Notes({ project, current }: { project: Project; current: CodebookVersion }) {
  const [publishes, setPublishes] = useState(false);
  const { data: notes = [], error, refetch } = useQuery(notesQuery(project.id));
  return (
    <section className="card stack" aria-labelledby="notes">
      <div className="card-head">
        <h2 id="notes">Notes</h2>
        <button type="button" className="button" onClick={() => setPublishes(true)}>
          Publish a note
        </button>
      </div>
      <p className="small mute">
        A note stands in the help while people label. It holds for its version of the codebook and later ones,
        and is no part of the definition.
      </p>
      {error && <Failure error={error} retry={refetch} />}
      <ul className="codebook-notes">
        {notes.map((note) => (
          <li key={note.id} className="stack-tight">
            <OneNote note={note} project={project} />
          </li>
        ))}
      </ul>
      {publishes && <PublishNote stages={current.definition.stages} onClose={() => setPublishes(false)} />}
    </section>
  );
}

function OneNote({ note, project }: { note: CodebookNote; project: Project }) {
  const refresh = useRefresh();
  const zone = useZone();
  const withdraw = () =>
    flagsApi.withdrawNote(project.id, note.id).finally(() => refresh(notesKey(project.id)));
  return (
    <>
      <p className="small mute">
        Version {note.version}
        {note.stage && (
          <>
            , <code>{note.stage}</code>
          </>
        )}{" "}
        · {moment(note.published_at, zone)} by {note.published_by}
        {note.withdrawn_at && ` · withdrawn ${moment(note.withdrawn_at, zone)}`}
      </p>
      <p className="note-words">{note.words}</p>
      {!note.withdrawn_at && (
        <div className="row">
          <ConfirmButton
            button="Withdraw the note"
            title="Withdraw the note?"
            act="Withdraw the note"
            onConfirm={withdraw}
          >
            <p className="note-words">{note.words}</p>
            <p>Nobody who labels sees it any more. It stays here with its dates.</p>
          </ConfirmButton>
        </div>
      )}
    </>
  );
}
