import { type ReactNode, useId, useState } from "react";

/** Folded away until it is asked for; what it holds is made, and its data asked for, only then. */
export function Disclosure({ title, children }: { title: ReactNode; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <div className="row">
        <button
          type="button"
          className="button quiet inline"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {title}
        </button>
      </div>
      {isOpen && <div id={id}>{children}</div>}
    </>
  );
}
