import { at } from "../../browser/base";
import { Copyable } from "../../components/Copyable";
import { Disclosure } from "../../components/Disclosure";
import { Meter } from "../../components/Meter";
import { Refusal } from "../../components/Refusal";
import { useProject, useZone } from "../../session/project";
import { capitalised, count, moment, sizeWords } from "../../text/format";
import { isMaking, type Release, releaseFile } from "./api";
import { Inside, LoadIt, ReleasedCard } from "./Detail";
import { useMake } from "./MakeCard";

/** One release: how far it is, what it came to, or why there is none. */
export function ReleaseCard({ release, isNewest }: { release: Release; isNewest: boolean }) {
  const zone = useZone();
  const title = `Release ${release.number}`;
  return (
    <article className={isMaking(release) ? "card now stack" : "card stack"} aria-label={title}>
      <div className="card-head">
        <h2>{title}</h2>
        <span className="small mute">
          {moment(release.finished_at ?? release.created_at, zone)}
          {release.created_by && `, by ${release.created_by}`}
        </span>
      </div>
      {release.notes && <p className="release-notes">{release.notes}</p>}
      {isMaking(release) && <Making release={release} />}
      {release.state === "failed" && <Failed release={release} isNewest={isNewest} />}
      {release.state === "done" && <Done release={release} />}
    </article>
  );
}

function Making({ release: { state, progress } }: { release: Release }) {
  const { step, fraction = 0 } = progress;
  const words =
    state === "queued" ? "Waiting for the import and release worker" : capitalised(step || "at work");
  return (
    <div className="sending">
      <span className="small numbers">
        {words}
        {state === "running" && ` (${Math.round(100 * fraction)} %)`}
      </span>
      <Meter share={fraction} />
    </div>
  );
}

function Failed({ release, isNewest }: { release: Release; isNewest: boolean }) {
  return (
    <>
      <p className="notice bad">
        <b>Nothing was released.</b> {release.failure || "The worker gave no reason."}
      </p>
      {isNewest && <Again release={release} />}
    </>
  );
}

/** A failed one keeps its number: this makes the next. */
function Again({ release: { notes, evaluations, text_sets } }: { release: Release }) {
  const again = useMake(useProject().id);
  return (
    <>
      <Refusal error={again.error} />
      <div className="row">
        <button
          type="button"
          className="button"
          disabled={again.isPending}
          onClick={() => again.mutate({ notes, evaluations, text_sets })}
        >
          Try again, with the same notes
        </button>
      </div>
    </>
  );
}

function Done({ release }: { release: Release }) {
  return (
    <>
      <dl className="figures">
        {/* What a project has none of, such as spans, is not its reader's concern. */}
        {Object.entries(release.counts)
          .filter(([, n]) => n > 0)
          .map(([what, n]) => (
            <div key={what}>
              <dt>{capitalised(what.replaceAll("_", " "))}</dt>
              <dd className="numbers">{count(n)}</dd>
            </div>
          ))}
      </dl>
      <div className="stack-tight">
        <h3>Content hash</h3>
        <Copyable text={release.content_hash} what="content hash" />
        <p className="small mute">
          The same data and datasheet released again have the same hash, whenever that is. Quote it in a
          paper.
        </p>
      </div>
      <div className="row">
        <a
          className="button primary"
          href={at(releaseFile(release.id))}
          download
          aria-label={`Download release ${release.number}`}
        >
          Download{release.size !== null && ` (ZIP, ${sizeWords(release.size)})`}
        </a>
      </div>
      <Disclosure title={<>Load it in Python{forEar(release)}</>}>
        <LoadIt id={release.id} />
      </Disclosure>
      <Disclosure title={<>The files and their hashes{forEar(release)}</>}>
        <Inside release={release} />
      </Disclosure>
      <Disclosure title={<>Its card{forEar(release)}</>}>
        <ReleasedCard id={release.id} />
      </Disclosure>
    </>
  );
}

/** Each release has buttons of the same words: the ear needs to know whose. */
function forEar({ number }: Release) {
  return (
    <>
      {" "}
      <span className="visually-hidden">of release {number}</span>
    </>
  );
}
