import type { DragProps } from "./useDragOrder";

/** What a row is dragged by. It says nothing to who uses keys or a screen reader: the buttons beside it move the row. */
export function Grip({ drag }: { drag: DragProps }) {
  return (
    <span className="grip" aria-hidden="true" title="Drag to another place" {...drag.grip}>
      ⠿
    </span>
  );
}
