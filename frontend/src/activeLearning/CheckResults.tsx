import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type BatchChecks, checksQuery } from "../api/batches";
import { DataTable } from "../components/DataTable";
import { CancelButton, Dialog } from "../components/Dialog";
import { NotLoaded } from "../components/states";
import { count, counted } from "../text/format";
import { checkShareWords } from "./checkWords";

interface CheckResultsProps {
  batch: { id: string; n_checks: number };
  /** "round 3" or "prototype 1". */
  name: string;
}

/** How each person of a batch did with its check items; nothing where it has none. */
export function CheckResults({ batch, name }: CheckResultsProps) {
  const [isOpen, setOpen] = useState(false);
  if (batch.n_checks === 0) return null;
  return (
    <div className="row">
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {counted(batch.n_checks, "check item")}
      </button>
      {isOpen && (
        <Dialog title={`Check items of ${name}`} onClose={() => setOpen(false)}>
          <Results id={batch.id} />
          <div className="row">
            <CancelButton onClose={() => setOpen(false)}>Close</CancelButton>
          </div>
        </Dialog>
      )}
    </div>
  );
}

function Results({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(checksQuery(id));
  if (!data && error) return <NotLoaded what="The check items" error={error} retry={refetch} />;
  if (!data) return <p className="mute">Counting the answers</p>;
  if (data.is_hidden)
    return (
      <p className="notice">
        You can still answer or revise in this batch. You see how people did with its check items once you
        cannot.
      </p>
    );
  return <Shown checks={data} />;
}

function Shown({ checks }: { checks: BatchChecks }) {
  return (
    <>
      <p className="small mute">
        An answer is right where it is the key’s at every stage of the key. A skip is not an answer. In
        brackets is Wilson’s 95 % interval: over few items it is wide.
      </p>
      <DataTable
        title="Check items"
        rows={checks.people}
        keyOf={({ id }) => id}
        columns={[
          ["Annotator", ({ display_name }) => display_name],
          ["Answered", ({ answered }) => count(answered), "number"],
          ["Right", checkShareWords, "number"],
          ["Skipped", ({ skipped }) => count(skipped), "number"],
        ]}
      />
    </>
  );
}
