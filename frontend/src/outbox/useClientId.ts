import { useRef } from "react";
import { uuid } from "./uuid";

/**
 * Names each sending: the same body again has the same id, so that a retry after a lost answer does nothing twice.
 * Another body has an id of its own.
 */
export function useClientId(): (body: unknown) => string {
  const last = useRef({ said: "", id: "" });
  return (body) => {
    const said = JSON.stringify(body);
    if (last.current.said !== said) last.current = { said, id: uuid() };
    return last.current.id;
  };
}
