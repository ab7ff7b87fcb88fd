/** A bar for the eye; the words beside it carry the numbers. */
export function Meter({ share }: { share: number }) {
  const width = 100 * Math.min(1, Math.max(0, share));
  return (
    <span className="bar" aria-hidden="true">
      <i style={{ width: `${width}%` }} />
    </span>
  );
}
