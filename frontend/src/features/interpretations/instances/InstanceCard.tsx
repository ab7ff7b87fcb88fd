import { useId } from "react";
import { Link } from "react-router";
import type { SpanLayer } from "../../../api/types";
import type { Instance } from "../api";
import { logsWords } from "../copy";
import { MarkedPrefix } from "../MarkedPrefix";

interface InstanceCardProps {
  row: Instance;
  layer: SpanLayer;
  nameOf: (number: number) => string;
  projectId: string;
}

/** One instance in its text: the prefix, both continuations, and how likely each is. */
export function InstanceCard({ row, layer, nameOf, projectId }: InstanceCardProps) {
  const id = useId();
  const { log_p_positive: right, log_p_negative: wrong } = row;
  const [logRight, logWrong] = logsWords(right, wrong);
  return (
    <article className="card stack" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id} className="small">
          {row.source_title || row.source}, target {row.target}
        </h2>
        <span className={row.right ? "tag ok" : "tag bad"}>{verdict(row)}</span>
      </div>
      <p className="prefix" dir="auto">
        <MarkedPrefix prefix={row.prefix} layer={layer} /> <span aria-hidden="true">…</span>
      </p>
      <div className="beside">
        <Continuation
          title="True continuation"
          of={nameOf(row.positive_class)}
          text={row.positive}
          logP={logRight}
          isLikelier={right > wrong}
        />
        <Continuation
          title="False continuation"
          of={nameOf(row.negative_class)}
          text={row.negative}
          logP={logWrong}
          isLikelier={wrong > right}
        />
      </div>
      {row.item && (
        <p className="small">
          <Link to={`/projects/${projectId}/validation/${row.item}`}>
            Look at {row.item_id ?? "the item"}
          </Link>
        </p>
      )}
    </article>
  );
}

function verdict({ right, log_p_positive, log_p_negative }: Instance): string {
  if (right) return "right";
  return log_p_positive === log_p_negative ? "mistake: a tie" : "mistake";
}

interface ContinuationProps {
  title: string;
  /** Its class. */
  of: string;
  text: string;
  logP: string;
  isLikelier: boolean;
}

function Continuation({ title, of, text, logP, isLikelier }: ContinuationProps) {
  return (
    <div className={isLikelier ? "continuation likelier" : "continuation"}>
      <p className="small mute">
        {title} · {of}
      </p>
      <p className="continuation-text" dir="auto">
        {text}
      </p>
      <p className="small numbers">
        log p = {logP}
        {isLikelier && <b> likelier</b>}
      </p>
    </div>
  );
}
