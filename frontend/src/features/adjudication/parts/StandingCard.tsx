import { DataTable } from "../../../components/DataTable";
import { TableCard } from "../../../components/TableCard";
import { count, counted } from "../../../text/format";
import type { Listing } from "../api";

/** Results of the items, stage by stage: the standing result of the round or of all rounds. */
export function StandingCard({ listing }: { listing: Listing }) {
  return (
    <TableCard
      title="Results of the items"
      about={
        listing.waiting > 0 && (
          <span className="small mute">
            {counted(listing.waiting, "item")} not counted: answers still missing
          </span>
        )
      }
    >
      <DataTable
        rows={listing.stages}
        keyOf={({ key }) => key}
        columns={[
          ["Stage", ({ title }) => title],
          ["Majority", ({ majority }) => count(majority), "number"],
          ["Tie", ({ tie }) => count(tie), "number"],
          ["No majority", ({ no_majority }) => count(no_majority), "number"],
          ["Decided", ({ adjudicated }) => count(adjudicated), "number"],
          ["Not applicable", ({ not_applicable }) => count(not_applicable), "number"],
        ]}
      />
      <p className="small mute">
        A majority is more than half of the people an item is given to. A tie: two labels share the top.
        Without a majority are also items with too few answers, such as one of two. A later stage is not
        applicable where the labels before it leave it closed.
      </p>
    </TableCard>
  );
}
