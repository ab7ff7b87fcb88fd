import type { ReactNode } from "react";
import { Link } from "react-router";
import { Key } from "../../../../components/Key";
import { useProject } from "../../../../session/project";
import { PublishDraft } from "../../PublishDraft";
import { KEYS } from "../actions";
import { titleOf } from "../model/copy";
import type { Work } from "../useWork";
import { DoneButton, type Left } from "./DoneButton";
import { Refused } from "./Refused";

interface HeadProps {
  work: Work;
  progress: string;
  left: Left | null;
  onKeys: () => void;
  children?: ReactNode;
}

/** What the list is, how far it is, and what holds for all of it. */
export function Head({ work, progress, left, onKeys, children }: HeadProps) {
  const { id: projectId, may } = useProject();
  const { list } = work;
  return (
    <header className="list-head">
      <div className="row">
        <div>
          <p className="small mute">
            <Link to={`/projects/${projectId}/factoids`}>Factoids</Link> · {list.set.name}
          </p>
          <h1>{titleOf(list)}</h1>
        </div>
        <p className="small mute list-progress" data-testid="progress">
          {progress}
        </p>
        {work.readOnly === null && (
          <>
            <button type="button" className="button quiet" disabled={!work.mayUndo} onClick={work.undo}>
              Undo <Key name={KEYS.undo} />
            </button>
            <button type="button" className="button quiet" disabled={!work.mayRedo} onClick={work.redo}>
              Redo <Key name={KEYS.redo} />
            </button>
          </>
        )}
        {children}
        {list.phase === null && list.state === "open" && may.includes("manage") && (
          <PublishDraft
            draft={list.id}
            set={list.set.name}
            n_factoids={list.factoids.length}
            n_waiting={work.waiting.length}
          />
        )}
        <button type="button" className="button quiet" onClick={onKeys}>
          Keys <Key name={KEYS.keys} />
        </button>
        <DoneButton work={work} left={left} />
      </div>
      {work.readOnly && <p className="notice">{work.readOnly}</p>}
      {work.problem && (
        <div className="notice bad row" role="alert">
          <p>{work.problem}</p>
          <button type="button" className="button" onClick={() => void work.keepAgain()}>
            Try again
          </button>
        </div>
      )}
      <Refused list={list} waiting={work.waiting} onSettled={work.rebased} />
    </header>
  );
}
