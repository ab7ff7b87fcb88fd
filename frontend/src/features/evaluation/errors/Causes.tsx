import { Key } from "../../../components/Key";
import { count } from "../../../text/format";
import type { Work } from "./useWork";

/** The causes that people named so far, with how often, and the key of each. */
export function Causes({ work }: { work: Work }) {
  const named = work.current?.cause?.id;
  return (
    <section className="stack-tight" aria-labelledby="causes">
      <h3 id="causes">Cause</h3>
      {work.causes.length === 0 && (
        <p className="small mute">
          There is no cause yet. Add the first in your own words, such as “sarcasm”.
        </p>
      )}
      <div className="causes">
        {work.causes.map((cause, place) => (
          <button
            key={cause.id}
            type="button"
            className="button"
            aria-pressed={cause.id === named}
            onClick={() => work.assign(cause)}
          >
            {place < 9 && <Key name={String(place + 1)} />} {cause.name}{" "}
            <span className="basis numbers">
              {count(cause.n)}
              <span className="visually-hidden"> so far</span>
            </span>
          </button>
        ))}
        <button type="button" className="button" onClick={() => work.askNew(true)}>
          <Key name="n" /> Add a cause
        </button>
      </div>
    </section>
  );
}
