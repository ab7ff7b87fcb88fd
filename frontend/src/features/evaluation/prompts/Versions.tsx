import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CancelButton, Dialog } from "../../../components/Dialog";
import { NotLoaded, Status } from "../../../components/states";
import { useProject, useZone } from "../../../session/project";
import { moment } from "../../../text/format";
import { type PromptChoice, promptQuery } from "../api";
import { Verbatim } from "../Exchange";

interface VersionsProps {
  prompt: PromptChoice;
  title: string;
  onRestore: (template: string) => void;
}

/** Earlier versions, to read and to take up again. */
export function Versions({ prompt, title, onRestore }: VersionsProps) {
  const zone = useZone();
  const [shown, setShown] = useState<number | null>(null);
  const versions = prompt.versions.toSorted((a, b) => b.number - a.number);
  if (versions.length === 0)
    return <p className="small mute">No version was saved yet: the default is used.</p>;
  return (
    <section className="stack-tight" aria-label="Versions">
      <h3>Versions</h3>
      <ul className="plain-list">
        {versions.map(({ number, created_by, created_at }) => (
          <li key={number} className="row">
            <span>
              Version {number}, {created_by}, {moment(created_at, zone)}
              {number === prompt.number && " (in use)"}
            </span>
            <button type="button" className="button quiet inline" onClick={() => setShown(number)}>
              Read version {number}
            </button>
          </li>
        ))}
      </ul>
      {shown !== null && (
        <Version
          stage={prompt.stage}
          number={shown}
          title={title}
          onRestore={(template) => {
            onRestore(template);
            setShown(null);
          }}
          onClose={() => setShown(null)}
        />
      )}
    </section>
  );
}

interface VersionProps {
  stage: string;
  number: number;
  title: string;
  onRestore: (template: string) => void;
  onClose: () => void;
}

function Version({ stage, number, title, onRestore, onClose }: VersionProps) {
  const { id } = useProject();
  const { data, error, refetch } = useQuery(promptQuery(id, stage, number));
  return (
    <Dialog title={`${title}: version ${number}`} onClose={onClose}>
      {error && <NotLoaded what="The version" error={error} retry={refetch} />}
      {!data && !error && <Status>Loading the version</Status>}
      {data && (
        <>
          <Verbatim text={data.template} title={`Version ${number}`} />
          <p className="small mute">
            Restoring puts this text into the editor. It is saved only once you save it.
          </p>
          <div className="row">
            <button type="button" className="button primary" onClick={() => onRestore(data.template)}>
              Restore this version
            </button>
            <CancelButton onClose={onClose} />
          </div>
        </>
      )}
    </Dialog>
  );
}
