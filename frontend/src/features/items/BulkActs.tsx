import { useState } from "react";
import { at } from "../../browser/base";
import { useProject } from "../../session/project";
import { counted } from "../../text/format";
import { type Act, addressOf, type Chosen, type ItemFilters } from "./api";
import { BulkDialog } from "./BulkDialog";

interface BulkActsProps {
  filters: ItemFilters;
  /** Ids of ticked items, of this page and of others. */
  ticked: readonly string[];
  onDone: () => void;
}

const ACTS: readonly { act: Act; button: string }[] = [
  { act: "leave_out", button: "Leave out" },
  { act: "take_back", button: "Take back" },
  { act: "open_batch", button: "Open a batch" },
];

/** What can be done with the ticked items, or with all that match where none is ticked. */
export function BulkActs({ filters, ticked, onDone }: BulkActsProps) {
  const project = useProject();
  const [act, setAct] = useState<Act | null>(null);
  const what = ticked.length > 0 ? `the ${counted(ticked.length, "ticked item")}` : "all that match";
  const chosen: Chosen = ticked.length > 0 ? { items: [...ticked] } : { filters };
  return (
    <div className="row items-acts">
      <span className="small mute">Of {what}:</span>
      {ACTS.map(({ act: each, button }) => (
        <button type="button" className="button" key={each} onClick={() => setAct(each)}>
          {button}
        </button>
      ))}
      {ticked.length > 0 && (
        <button type="button" className="button quiet" onClick={onDone}>
          Untick all
        </button>
      )}
      {ticked.length === 0 && (
        <span className="small">
          Download:{" "}
          {["csv", "xlsx", "jsonl"].map((format, place) => (
            <span key={format}>
              {place > 0 && " · "}
              <a
                href={at(`/api/projects/${project.id}/items/export/?${fileAddress(filters, format)}`)}
                download
              >
                {format === "xlsx" ? "Excel" : format.toUpperCase()}
              </a>
            </span>
          ))}
        </span>
      )}
      {act && (
        <BulkDialog
          key={act}
          act={act}
          what={what}
          chosen={chosen}
          onDone={onDone}
          onClose={() => setAct(null)}
        />
      )}
    </div>
  );
}

function fileAddress(filters: ItemFilters, format: string): string {
  const address = addressOf(filters);
  address.set("format", format);
  return address.toString();
}
