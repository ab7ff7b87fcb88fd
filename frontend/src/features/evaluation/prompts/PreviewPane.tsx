import type { UseQueryResult } from "@tanstack/react-query";
import { errorWords } from "../../../api/errors";
import type { Preview } from "../api";
import { Verbatim } from "../Exchange";

interface PreviewPaneProps {
  preview: UseQueryResult<Preview>;
  onItem: (item: string) => void;
}

/** The prompt as it is sent, of a real item of the project. */
export function PreviewPane({ preview, onItem }: PreviewPaneProps) {
  const { data, error, isFetching } = preview;
  const next = data?.next_item;
  return (
    <section className="card stack prompt-preview" aria-labelledby="preview">
      <div className="card-head">
        <h2 id="preview">As it is sent</h2>
        <button type="button" className="button" disabled={!next} onClick={() => next && onItem(next)}>
          Next item
        </button>
      </div>
      {error && <p className="notice warn">{errorWords(error)}</p>}
      {data && (
        <p className="small mute" role="status">
          {data.item ? `Item ${data.item.external_id}` : "There is no item with a label yet."}
        </p>
      )}
      {data?.prompt != null && <Verbatim text={data.prompt} title="The prompt as it is sent" />}
      {data && data.prompt === null && data.faults.length > 0 && (
        <p className="mute">It can be shown once the faults are corrected.</p>
      )}
      {!data && isFetching && <p className="mute">Loading an item</p>}
    </section>
  );
}
