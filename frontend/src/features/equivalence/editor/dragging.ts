import { type DragEvent, useState } from "react";

const TYPE = "application/x-quorum-strings";

/** What makes an element draggable: it takes these strings along. */
export function dragOf(texts: () => readonly string[], isOn: boolean) {
  if (!isOn) return {};
  return {
    draggable: true,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      const taken = texts();
      dataTransfer.setData(TYPE, JSON.stringify(taken));
      dataTransfer.setData("text/plain", taken.join("\n"));
      dataTransfer.effectAllowed = "move";
    },
  };
}

/** A place that strings can be dropped on. Keys and buttons do the same. */
export function useDrop(onTexts: (texts: string[]) => void, isOn: boolean) {
  const [isOver, setOver] = useState(false);
  if (!isOn) return { isOver: false, target: {} };
  const target = {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(TYPE)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "move";
      setOver(true);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      setOver(false);
      const written = event.dataTransfer.getData(TYPE);
      if (!written) return;
      event.preventDefault();
      onTexts(JSON.parse(written) as string[]);
    },
  };
  return { isOver, target };
}
