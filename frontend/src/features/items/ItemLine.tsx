import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Project } from "../../api/types";
import { useProject } from "../../session/project";
import { batchName, count } from "../../text/format";
import type { ItemListed } from "./api";
import { LeaveOut, TakeBack } from "./LeaveOut";

interface ItemLineProps {
  item: ItemListed;
  /** On the item's own page: its whole text, without the way to that page. */
  text?: ReactNode;
}

/** One item: where it stands, its text, and what can be done with it. */
export function ItemLine({ item, text }: ItemLineProps) {
  const project = useProject();
  const document = item.document.title || item.document.external_id;
  // A row of a table is a document of its own, under the item's id.
  const about = [document === item.item_id ? "" : document, item.speaker, stateWords(item)];
  return (
    <>
      <p className="small">
        {!text && (
          <Link className="item-id" to={`/projects/${project.id}/items/${item.id}`}>
            <b>{item.item_id}</b>
          </Link>
        )}{" "}
        <span className="mute">{about.filter(Boolean).join(" · ")}</span>
      </p>
      {text ?? <p className="item-text">{item.text}</p>}
      {item.left_out === "by_admin" && (
        <p className="notice">
          <b>Left out:</b> {item.left_out_reason}
        </p>
      )}
      <div className="row">
        <Answers item={item} project={project} />
        {item.left_out === "" && <LeaveOut id={item.id} itemId={item.item_id} />}
        {item.left_out === "by_admin" && <TakeBack id={item.id} itemId={item.item_id} />}
      </div>
    </>
  );
}

function stateWords({ left_out, batch, done, total }: ItemListed): string {
  const given = batch && `${batchName(batch.kind, batch.number)}, ${count(done)} of ${count(total)} answered`;
  if (left_out === "too_short") return "too short for the pool";
  if (left_out === "too_long") return "too long for the pool";
  if (left_out === "by_admin") return given ?? "left out before anybody was given it";
  return given ?? "in the pool, given to nobody yet";
}

/** Where the item's answers can be looked at, by the rules of blindness there. */
function Answers({ item, project }: { item: ItemListed; project: Project }) {
  if (item.batch?.kind !== "round" || item.done === 0) return null;
  const where = `/projects/${project.id}`;
  return (
    <>
      {project.has_stages && (
        <Link to={`${where}/adjudication/${item.id}?kind=any`}>Look at its answers</Link>
      )}
      {project.has_spans && <Link to={`${where}/validation/${item.id}`}>Look at its spans</Link>}
    </>
  );
}
