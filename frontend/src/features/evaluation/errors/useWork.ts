import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useAnnounce } from "../../../components/Announcer";
import { type Action, action } from "../../../keyboard/registry";
import {
  type Cause,
  causesQuery,
  evaluationApi,
  type Prediction,
  type PredictionFilters,
  type PredictionsPage,
  predictionQuery,
  predictionsQuery,
} from "../api";

interface WorkOf {
  evaluationId: string;
  projectId: string;
  filters: PredictionFilters;
  page: number;
  n_pages: number;
  rows: readonly Prediction[];
  onPage: (page: number) => void;
}

type Named = Pick<Cause, "id" | "name">;

interface Naming {
  place: number;
  row: Prediction;
  cause: Named | null;
}

/** Causes beyond these have a button and no key. */
const WITH_KEY = 9;
const IN_HAND = "with an error in hand";

/** The error in hand, and everything that can be done about it, by button and by key. */
export function useWork({ evaluationId, projectId, filters, page, n_pages, rows, onPage }: WorkOf) {
  const client = useQueryClient();
  const announce = useAnnounce();
  const { data: causes = [] } = useQuery(causesQuery(projectId));
  const [place, setPlace] = useState(0);
  const [asksNew, askNew] = useState(false);
  const [keysShown, showKeys] = useState(false);
  const [done, setDone] = useState<Naming[]>([]);
  const buttons = useRef(new Map<number, HTMLButtonElement>());
  const current = rows[place];

  const name = useMutation({
    mutationFn: ({ row, cause }: Naming) => evaluationApi.nameCause(row.id, cause?.id ?? null),
    onSuccess: (stored) => {
      client.setQueryData<PredictionsPage>(
        predictionsQuery(evaluationId, filters, page).queryKey,
        (before) =>
          before && {
            ...before,
            rows: before.rows.map((row) => (row.id === stored.id ? { ...row, ...stored } : row)),
          },
      );
      void client.invalidateQueries({ queryKey: predictionQuery(stored.id).queryKey });
      void client.invalidateQueries({ queryKey: causesQuery(projectId).queryKey });
    },
  });

  const go = (to: number) => {
    setPlace(to);
    buttons.current.get(to)?.focus();
  };
  const next = () => {
    if (place + 1 < rows.length) go(place + 1);
    else if (page < n_pages) onPage(page + 1);
  };
  const previous = () => {
    if (place > 0) go(place - 1);
    else if (page > 1) onPage(page - 1);
  };
  const assign = (cause: Named) => {
    if (!current || name.isPending) return;
    const before: Naming = { place, row: current, cause: current.cause };
    const isSame = current.cause?.id === cause.id;
    name.mutate(
      { place, row: current, cause: isSame ? null : cause },
      {
        onSuccess: () => {
          setDone((all) => [...all, before]);
          announce(isSame ? `No cause any more.` : `Cause: ${cause.name}.`);
          if (!isSame && place + 1 < rows.length) go(place + 1);
        },
      },
    );
  };
  const undo = () => {
    const last = done.at(-1);
    if (!last || name.isPending) return;
    name.mutate(last, {
      onSuccess: () => {
        setDone((all) => all.slice(0, -1));
        announce(last.cause ? `Taken back. Cause: ${last.cause.name}.` : "Taken back: no cause.");
        go(last.place);
      },
    });
  };

  const has = current !== undefined;
  const hasNext = place + 1 < rows.length || page < n_pages;
  const hasPrevious = place > 0 || page > 1;
  const held = (each: Action): Action => ({ ...each, whileHeld: true });
  const actions: Action[] = [
    ...["arrowdown", "j"].map((key) =>
      held(action(`next-${key}`, "Go to the next error", "List", key, hasNext, next, "before the last")),
    ),
    ...["arrowup", "k"].map((key) =>
      held(
        action(
          `previous-${key}`,
          "Go to the error before",
          "List",
          key,
          hasPrevious,
          previous,
          "after the first",
        ),
      ),
    ),
    ...causes.map((cause, at) =>
      action(
        `cause-${cause.id}`,
        `Name the cause “${cause.name}”`,
        "Cause",
        at < WITH_KEY ? String(at + 1) : null,
        has,
        () => assign(cause),
        IN_HAND,
      ),
    ),
    action("new-cause", "Add a cause", "Cause", "n", has, () => askNew(true), IN_HAND),
    action("undo", "Undo the last cause", "Cause", "u", done.length > 0, undo, "once one is named"),
    action("keys", "Show the keys", "Page", "?", true, () => showKeys(true)),
  ];
  const can = { next: hasNext, previous: hasPrevious, undo: done.length > 0 };
  return {
    ...{ rows, place, current, causes, actions, asksNew, askNew, keysShown, showKeys },
    ...{ go, next, previous, assign, undo, error: name.error, isBusy: name.isPending },
    can: (what: keyof typeof can) => can[what],
    hold: (at: number, button: HTMLButtonElement | null) => {
      if (button) buttons.current.set(at, button);
      else buttons.current.delete(at);
    },
  };
}

export type Work = ReturnType<typeof useWork>;
