import { blockAt, type TextModel } from "./model/textModel";
import type { Selection } from "./model/types";

/*
 * Between places of the text and places of the page. The page holds, inside one root, an element for each block
 * (data-block), and in it one element for each segment (data-from, UTF-16 units) with one text node. Labels hold no
 * text, so that the root's text content is the text.
 */

interface DomPlace {
  node: Node;
  offset: number;
}

/** null: outside the root. */
export function pointAt(root: Element, model: TextModel, { node, offset }: DomPlace): number | null {
  if (!root.contains(node)) return null;
  const within = node instanceof Element ? node : node.parentElement;
  const block = within?.closest("[data-block]");
  const outer = block && root.contains(block) ? block : root;
  const before = document.createRange();
  before.setStart(outer, 0);
  before.setEnd(node, offset);
  const from = outer === root ? 0 : (model.blocks[Number(outer.getAttribute("data-block"))]?.from ?? 0);
  return model.points.toPoint(from + before.toString().length);
}

/** null while the text is not on the page. */
export function placeOf(root: Element, model: TextModel, point: number): DomPlace | null {
  const at = model.points.toUnits(point);
  // The blocks are the root's first children: to look for one by its number would walk a long text whole.
  const block = root.children[blockAt(model, point)];
  const pieces = [...(block?.querySelectorAll("[data-from]") ?? [])];
  const piece = pieces.findLast((each) => Number(each.getAttribute("data-from")) <= at);
  const node = piece?.firstChild;
  if (!piece || !node) return null;
  return {
    node,
    offset: Math.min(at - Number(piece.getAttribute("data-from")), node.textContent?.length ?? 0),
  };
}

/** The two ends of what is selected on the page; null for one that is not in this text. */
export function endsOnPage(root: Element, model: TextModel): { anchor: number | null; head: number | null } {
  const selected = document.getSelection();
  if (!selected?.anchorNode || !selected.focusNode) return { anchor: null, head: null };
  return {
    anchor: pointAt(root, model, { node: selected.anchorNode, offset: selected.anchorOffset }),
    head: pointAt(root, model, { node: selected.focusNode, offset: selected.focusOffset }),
  };
}

/** What is selected on the page; null where that is not in this text, or not wholly. */
export function selectionOnPage(root: Element, model: TextModel): Selection | null {
  const { anchor, head } = endsOnPage(root, model);
  return anchor === null || head === null ? null : { anchor, head };
}

/** The end of the text that stands, in reading order, nearer to a place outside it. */
export function nearerEnd(root: Element, model: TextModel, { node, offset }: DomPlace): number {
  const all = document.createRange();
  all.selectNodeContents(root);
  return all.comparePoint(node, offset) < 0 ? 0 : model.points.length;
}

/** The point of the text nearest to a place of the window; null where something lies over it. */
export function pointNear(root: Element, model: TextModel, x: number, y: number): number | null {
  const box = root.getBoundingClientRect();
  const place = document.caretPositionFromPoint?.(
    within(x, Math.max(box.left, 0), Math.min(box.right, window.innerWidth)),
    within(y, Math.max(box.top, 0), Math.min(box.bottom, window.innerHeight)),
  );
  return place ? pointAt(root, model, { node: place.offsetNode, offset: place.offset }) : null;
}

function within(at: number, low: number, high: number): number {
  return Math.max(low + 1, Math.min(at, high - 1));
}

/** Selects on the page, unless that is selected already: a browser forgets the column when it is told again. */
export function selectOnPage(root: Element, model: TextModel, selection: Selection): void {
  const now = selectionOnPage(root, model);
  if (now?.anchor === selection.anchor && now.head === selection.head) return;
  const anchor = placeOf(root, model, selection.anchor);
  const head = placeOf(root, model, selection.head);
  if (!anchor || !head) return;
  document.getSelection()?.setBaseAndExtent(anchor.node, anchor.offset, head.node, head.offset);
}

/** Where a caret at this point stands in the window; null where nothing is drawn. */
export function caretRect(root: Element, model: TextModel, point: number): DOMRect | null {
  const place = placeOf(root, model, point);
  if (!place) return null;
  const range = document.createRange();
  range.setStart(place.node, place.offset);
  range.collapse(true);
  const [own] = range.getClientRects();
  if (own) return own;
  range.setEnd(place.node, Math.min(place.offset + 1, place.node.textContent?.length ?? 0));
  const [after] = range.getClientRects();
  return after ?? endOfLine(range, place);
}

/** Behind the text's last line break no line is drawn: the caret stands at the end of the line that it ends. */
function endOfLine(range: Range, { node, offset }: DomPlace): DOMRect | null {
  range.setStart(node, Math.max(0, offset - 1));
  range.setEnd(node, offset);
  const rect = [...range.getClientRects()].at(-1);
  return rect ? new DOMRect(rect.right, rect.top, 0, rect.height) : null;
}
