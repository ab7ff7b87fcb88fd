import { createContext, type ReactNode, useContext } from "react";
import { createPortal } from "react-dom";

export const HeaderStatusContext = createContext<HTMLElement | null>(null);

/** Puts a page's own state (progress, saved or not) into the header. */
export function HeaderStatus({ children }: { children: ReactNode }) {
  const place = useContext(HeaderStatusContext);
  return place ? createPortal(children, place) : null;
}
