import { type DragEvent, useState } from "react";

/** What the grip and the row of one entry need. */
export interface DragProps {
  grip: {
    draggable: true;
    onDragStart: (event: DragEvent) => void;
    onDragEnd: () => void;
  };
  row: {
    "data-drop"?: "before" | "after";
    onDragOver: (event: DragEvent) => void;
    onDrop: (event: DragEvent) => void;
  };
}

/**
 * Lets the entries of one list be dragged by a grip to the place of another. It is the way by mouse; `MoveButtons` are
 * the way by keys and on touch screens. A drag that began in another list is none of this list's.
 */
export function useDragOrder(onMove: (from: number, to: number) => void): (at: number) => DragProps {
  const [from, setFrom] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const end = () => {
    setFrom(null);
    setOver(null);
  };
  return (at) => ({
    grip: {
      draggable: true,
      onDragStart: (event) => {
        event.stopPropagation();
        event.dataTransfer.effectAllowed = "move";
        // Firefox begins no drag that carries nothing.
        event.dataTransfer.setData("text/plain", String(at + 1));
        setFrom(at);
      },
      onDragEnd: end,
    },
    row: {
      ...(from !== null && over === at && at !== from && { "data-drop": at < from ? "before" : "after" }),
      onDragOver: (event) => {
        if (from === null) return;
        event.preventDefault();
        event.stopPropagation();
        setOver(at);
      },
      onDrop: (event) => {
        if (from === null) return;
        event.preventDefault();
        event.stopPropagation();
        if (at !== from) onMove(from, at);
        end();
      },
    },
  });
}
