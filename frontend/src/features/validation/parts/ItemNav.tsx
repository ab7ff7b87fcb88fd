import { KEYS } from "../actions";
import type { ItemBench } from "../useItemBench";
import { Act } from "./DecisionCard";

/** The ways on from this item. */
export function ItemNav({ bench: { page, commands } }: { bench: ItemBench }) {
  return (
    <nav className="row" aria-label="Items">
      <Act keyName={KEYS.previous} isOff={page.previous === null} onClick={() => commands.go(page.previous)}>
        Previous
      </Act>
      <Act keyName={KEYS.next} isOff={page.next === null} onClick={() => commands.go(page.next)}>
        Next
      </Act>
      <Act keyName={KEYS.codebook} onClick={commands.codebook}>
        Codebook
      </Act>
      <Act keyName={KEYS.keys} onClick={commands.keys}>
        Keys
      </Act>
    </nav>
  );
}
