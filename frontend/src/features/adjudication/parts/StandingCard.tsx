import { ColumnHeads, number } from "../../../components/ColumnHeads";
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
      <table className="table">
        <ColumnHeads
          of={[
            "Stage",
            number("Majority"),
            number("Tie"),
            number("No majority"),
            number("Decided"),
            number("Not applicable"),
          ]}
        />
        <tbody>
          {listing.stages.map((stage) => (
            <tr key={stage.key}>
              <th scope="row">{stage.title}</th>
              <td className="number">{count(stage.majority)}</td>
              <td className="number">{count(stage.tie)}</td>
              <td className="number">{count(stage.no_majority)}</td>
              <td className="number">{count(stage.adjudicated)}</td>
              <td className="number">{count(stage.not_applicable)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small mute">
        A majority is more than half of the people an item is given to. A tie: two labels share the top.
        Without a majority are also items with too few answers, such as one of two. A later stage is not
        applicable where the labels before it leave it closed.
      </p>
    </TableCard>
  );
}
