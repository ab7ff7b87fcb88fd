interface MoveButtonsProps {
  name: string;
  at: number;
  count: number;
  onMove: (to: number) => void;
}

/** Buttons that move an entry within its list. */
export function MoveButtons({ name, at, count, onMove }: MoveButtonsProps) {
  return (
    <>
      <button
        type="button"
        className="button quiet"
        aria-label={`Move ${name} up`}
        disabled={at === 0}
        onClick={() => onMove(at - 1)}
      >
        ↑
      </button>
      <button
        type="button"
        className="button quiet"
        aria-label={`Move ${name} down`}
        disabled={at === count - 1}
        onClick={() => onMove(at + 1)}
      >
        ↓
      </button>
    </>
  );
}
