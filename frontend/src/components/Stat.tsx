import type { ReactNode } from "react";

interface StatProps {
  title: string;
  value: ReactNode;
  of?: ReactNode;
  /** false: the value is a word, shown smaller. */
  isNumber?: boolean;
  children?: ReactNode;
}

/** A card that answers one question with one number and what it stands on. */
export function Stat({ title, value, of, isNumber = true, children }: StatProps) {
  return (
    <section className="card stat">
      <h2>{title}</h2>
      <p className={isNumber ? "big numbers" : "big word"}>
        {value} {of && <span className="of">{of}</span>}
      </p>
      {children && <p className="small mute">{children}</p>}
    </section>
  );
}
