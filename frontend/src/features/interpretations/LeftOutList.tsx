import { count, listed } from "../../text/format";
import type { LeftOut } from "./api";

/** What of the data is not in it and why, each with some examples. */
export function LeftOutList({ leftOut }: { leftOut: readonly LeftOut[] }) {
  const some = leftOut.filter(({ n }) => n > 0);
  if (some.length === 0) return <p className="small mute">Nothing of the data is left out.</p>;
  return (
    <div className="stack-tight">
      <p className="small">Left out of the data:</p>
      <ul className="reasons small">
        {some.map(({ reason, n, examples }) => (
          <li key={reason}>
            {count(n)}: {reason}
            {examples.length > 0 && (
              <span className="mute">
                {" "}
                ({examples.length < n ? "such as " : ""}
                {listed(examples)})
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
