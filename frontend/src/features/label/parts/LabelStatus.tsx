import type { Progress } from "../../../api/types";
import { HeaderStatus } from "../../../session/HeaderStatus";

/** How far the person is in the open batch. */
export function LabelStatus({ progress }: { progress: Progress }) {
  const { done, total } = progress;
  if (total === 0) return null;
  return (
    <HeaderStatus>
      <span className="progress mute numbers" data-testid="progress">
        <span className="bar" aria-hidden="true">
          <i style={{ width: `${(100 * done) / total}%` }} />
        </span>
        <span>
          {done} of {total}
        </span>
        <span className="visually-hidden"> done</span>
      </span>
    </HeaderStatus>
  );
}
