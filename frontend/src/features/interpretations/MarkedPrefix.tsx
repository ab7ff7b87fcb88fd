import { Fragment } from "react";
import { colorOf, nameOf } from "../../annotate/spans/model/categories";
import type { SpanLayer } from "../../api/types";
import { keyOf } from "./useLayer";
import "../../annotate/spans/palette.css";

interface MarkedPrefixProps {
  /** In the text form: markers in brackets. */
  prefix: string;
  layer: SpanLayer;
}

const MARKER = /\[([^[\]]+?)[ _](START|END)\]/g;

/** A prefix as the model read it, each marker in the colour of its category. */
export function MarkedPrefix({ prefix, layer }: MarkedPrefixProps) {
  return pieces(prefix).map(({ words, marker }) => (
    <Fragment key={words.at}>
      {words.text}
      {marker && (
        <span className="prefix-marker" style={{ color: colorOf(layer, keyOf(layer, marker.category)) }}>
          <span aria-hidden="true">{marker.isStart ? `${marker.category} ▸` : `◂ ${marker.category}`}</span>
          <span className="visually-hidden">
            {` ${nameOf(layer, keyOf(layer, marker.category))} ${marker.isStart ? "begins" : "ends"} `}
          </span>
        </span>
      )}
    </Fragment>
  ));
}

interface Piece {
  words: { text: string; at: number };
  marker: { category: string; isStart: boolean } | null;
}

/** The words, each with the marker behind it. */
export function pieces(prefix: string): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of prefix.matchAll(MARKER)) {
    const marker = { category: match[1] ?? "", isStart: match[2] === "START" };
    found.push({ words: { text: prefix.slice(from, match.index), at: from }, marker });
    from = match.index + match[0].length;
  }
  return [...found, { words: { text: prefix.slice(from), at: from }, marker: null }];
}
