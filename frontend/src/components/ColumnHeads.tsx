import type { ReactNode } from "react";

interface NumberHead {
  number: ReactNode;
}

/** The head of a column of numbers, which stand to the right. */
export function number(title: ReactNode): NumberHead {
  return { number: title };
}

/** The heads of a table's columns. */
export function ColumnHeads({ of }: { of: readonly (string | NumberHead)[] }) {
  return (
    <thead>
      <tr>
        {of.map((head, place) => (
          <th scope="col" className={typeof head === "string" ? undefined : "number"} key={String(place)}>
            {typeof head === "string" ? head : head.number}
          </th>
        ))}
      </tr>
    </thead>
  );
}
