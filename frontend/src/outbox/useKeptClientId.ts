import type { KeptForm } from "../kept/useKept";
import { uuid } from "./uuid";

/** A sending that the server has not confirmed yet. */
export interface Sent {
  said: string;
  id: string;
}

/**
 * As `useClientId`, of a form that outlives the page: the name of its last sending is kept with it, so that a retry after
 * a reload does nothing twice either. It ends with the form's text, when that is saved or discarded.
 */
export function useKeptClientId<T extends { sent: Sent | null }>(
  form: Pick<KeptForm<T>, "value" | "set">,
): (body: unknown) => string {
  return (body) => {
    const said = JSON.stringify(body);
    const { sent } = form.value;
    if (sent?.said === said) return sent.id;
    const id = uuid();
    form.set((before) => ({ ...before, sent: { said, id } }));
    return id;
  };
}
