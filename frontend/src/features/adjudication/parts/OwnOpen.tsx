import { useRefresh } from "../../../api/useRefresh";
import { ConfirmButton } from "../../../components/ConfirmButton";
import { counted } from "../../../text/format";
import { type Listing, lockOwnAnswers } from "../api";
import type { Filters } from "../model/filters";

interface OwnOpenProps {
  listing: Listing;
  projectId: string;
  filters: Filters;
}

/** Items that the list leaves out, since what they came to would tell others' answers before one's own is final. */
export function OwnOpen({ listing: { hidden_editable, hidden_pending }, projectId, filters }: OwnOpenProps) {
  const refresh = useRefresh();
  const settle = () => lockOwnAnswers(projectId, filters).then(() => refresh(["disagreements", projectId]));
  if (hidden_editable + hidden_pending === 0) return null;
  return (
    <div className="notice stack">
      {hidden_pending > 0 && (
        <p>
          {counted(hidden_pending, "item")} not shown: you have a second look of your own to take there first.
        </p>
      )}
      {hidden_editable > 0 && (
        <div className="row">
          <span>
            {counted(hidden_editable, "item")} not shown: you could still change your own answer there.
          </span>
          <ConfirmButton
            button="My answers are final: show them"
            title={`Are your answers to ${counted(hidden_editable, "item")} final?`}
            act="They are final: show them"
            onConfirm={settle}
          >
            <p>
              The list tells what others answered. Once you have seen it, your own answers to{" "}
              {hidden_editable === 1 ? "this item" : "these items"} can no longer be changed, and you get no
              second look of {hidden_editable === 1 ? "it" : "them"}.
            </p>
          </ConfirmButton>
        </div>
      )}
    </div>
  );
}
