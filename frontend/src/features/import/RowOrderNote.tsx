import { count, counted } from "../../text/format";
import type { RowOrder } from "./api";

const ORDERED: [keyof RowOrder, string][] = [
  ["position", "position"],
  ["timestamp", "time"],
  ["reply_to", "reply"],
  ["file", "place in the file"],
];

/** By what the rows of documents were ordered, and what of it a person should look at. */
export function RowOrderNote({ order }: { order: RowOrder }) {
  const by = ORDERED.filter(([name]) => order[name] > 0).map(
    ([name, words]) => `${count(order[name])} by ${words}`,
  );
  if (by.length === 0) return null;
  return (
    <p className={order.moved + order.incomplete > 0 ? "notice" : "small mute"}>
      Rows of documents were ordered: {by.join(", ")}.
      {order.moved > 0 &&
        ` In ${counted(order.moved, "document")} the file had another order than time or replies say.`}
      {order.incomplete > 0 &&
        ` In ${counted(order.incomplete, "document")} only some rows have a time, so that times were not used.`}
    </p>
  );
}
