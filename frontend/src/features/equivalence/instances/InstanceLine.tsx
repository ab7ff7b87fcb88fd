import { Link } from "react-router";
import { useProject } from "../../../session/project";
import { CodePoints } from "../../../text/codePoints";
import type { Instance } from "../types";

/** One instance: its prefix with both continuations, and its span in the text of its item. */
export function InstanceLine({ of }: { of: Instance }) {
  const { id: projectId } = useProject();
  return (
    <li className="instance stack-tight">
      <p className="small">
        <b>{of.evaluation}</b> <span className="mute">({of.annotation})</span>{" "}
        <Link to={`/projects/${projectId}/items?q=${encodeURIComponent(of.item)}`}>{of.item}</Link>
      </p>
      <p className="instance-prefix" dir="auto">
        <span className="visually-hidden">Prefix: </span>
        {of.prefix || <i className="mute">nothing before it</i>}
      </p>
      <dl className="continuations">
        <Continuation words={of.positive} of={of.positive_class} name={of.positive_name} isTrue />
        <Continuation words={of.negative} of={of.negative_class} name={of.negative_name} />
      </dl>
      {of.item_text && <InText of={of} />}
    </li>
  );
}

interface ContinuationProps {
  words: string;
  /** The number of its class, from 0. */
  of: number;
  /** The name of its class; empty where it has none. */
  name: string;
  isTrue?: boolean;
}

function Continuation({ words, of, name, isTrue }: ContinuationProps) {
  return (
    <div className={isTrue ? "continuation true" : "continuation"}>
      <dt className="small">{isTrue ? "✓ true" : "✗ false"}</dt>
      <dd dir="auto">
        {words} <span className="small mute">{name ? `in “${name}”` : `class ${of + 1}`}</span>
      </dd>
    </div>
  );
}

const AROUND = 160;

function InText({ of: { item_text, start, end } }: { of: Instance }) {
  const text = new CodePoints(item_text);
  const [from, to] = [Math.max(0, start - AROUND), Math.min(text.length, end + AROUND)];
  return (
    <p className="instance-text" dir="auto">
      {from > 0 && "… "}
      {text.slice(from, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end, to)}
      {to < text.length && " …"}
    </p>
  );
}
