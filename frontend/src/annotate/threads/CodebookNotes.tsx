import { useQuery } from "@tanstack/react-query";
import { type CodebookNote, notesQuery } from "../../api/flags";
import type { CodebookDefinition } from "../../api/types";
import { useProject, useZone } from "../../session/project";
import { moment } from "../../text/format";
import "./threads.css";

interface CodebookNotesProps {
  definition: CodebookDefinition;
  version: number;
  /** Only those on this stage and on the whole codebook; all of them where it is left out. */
  only?: string | null;
}

/** What the admins published beside the codebook; nothing where there is no note. */
export function CodebookNotes({ definition, version, only }: CodebookNotesProps) {
  const { id } = useProject();
  const zone = useZone();
  const { data = [] } = useQuery(notesQuery(id));
  const notes = notesFor(data, version).filter(
    ({ stage }) => only === undefined || stage === "" || stage === only,
  );
  if (notes.length === 0) return null;
  const title = (key: string) => definition.stages.find((stage) => stage.key === key)?.title ?? key;
  return (
    <section className="stack-tight" aria-label="Notes of the admins">
      <p>
        <b>Notes of the admins</b>
      </p>
      <ul className="codebook-notes">
        {notes.map((note) => (
          <li key={note.id}>
            <p className="small mute">
              {moment(note.published_at, zone)}
              {note.stage && ` · ${title(note.stage)}`}
            </p>
            <p className="note-words">{note.words}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A note holds for its version of the codebook and for later ones. */
export function notesFor(notes: readonly CodebookNote[], version: number): CodebookNote[] {
  return notes.filter((note) => note.withdrawn_at === null && note.version <= version);
}
