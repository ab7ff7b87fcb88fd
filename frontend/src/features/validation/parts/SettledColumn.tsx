import { useId } from "react";
import { counted } from "../../../text/format";
import type { Decided, ItemPage } from "../api";
import { SpansShown } from "./AnnotationColumn";
import type { ColumnShared } from "./SpanLines";

/** The aggregated annotation, where none of the columns shows it: an edit, or one that was revised since. */
export function SettledColumn({
  page,
  decision,
  ...shared
}: ColumnShared & { page: ItemPage; decision: Decided }) {
  const id = useId();
  const isShown = page.annotations.some(({ id: shown }) => shown === decision.annotation);
  if (decision.decision === "rejected" || (decision.decision === "accepted" && isShown)) return null;
  return (
    <article className="card column accepted" aria-labelledby={id}>
      <div className="column-head">
        <h2 id={id}>Decided</h2>
        <span className="mute small">{counted(decision.spans.length, "span")}</span>
        <span className="tag ok">{decision.decision}</span>
      </div>
      <SpansShown {...shared} spans={decision.spans} label="Text of the aggregated annotation" />
    </article>
  );
}
