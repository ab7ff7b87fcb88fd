import { useRef } from "react";
import { useNavigate } from "react-router";
import { changesDone, type DoneItem, neighbour } from "../../annotate/doneItems";
import type { Assignment, LabelWindow } from "../../api/types";
import { useAnnounce } from "../../components/Announcer";
import { useOutbox } from "../../outbox/OutboxProvider";

/** Own answers that differ from a model's and were not looked at again: how many, and the way to the first. */
export interface Compare {
  n: number;
  position: number;
  go: () => void;
}

export interface Navigation {
  back: (() => void) | null;
  forward: (() => void) | null;
  /** Leads to an own done item whose change was left without submitting it. */
  unsubmitted: (() => void) | null;
  compare: Compare | null;
  /** Before the item leaves the page: notes whether the focus was on its controls. */
  leaving: () => void;
  /** The submit is on disk. That of a practice's item is followed by its key. */
  committed: (submitted: Assignment) => void;
  /** Whether the next item takes the focus over; read once when it comes. */
  takesFocus: () => boolean;
}

/** The ways between the item being labelled and the own done ones before it. `at` null: the item being labelled. */
export function useNavigation(
  projectId: string,
  done: readonly DoneItem[],
  at: string | null,
  toCompare: LabelWindow["to_compare"],
): Navigation {
  const navigate = useNavigate();
  const outbox = useOutbox();
  const announce = useAnnounce();
  const hadFocus = useRef(false);
  const before = neighbour(done, at, -1);
  const after = at === null ? null : neighbour(done, at, 1);
  const left = done.find((item) => item.id !== at && changesDone(outbox.drafts.get(item.id))) ?? null;
  const others = toCompare.filter(({ id }) => id !== at);
  const [other] = others;
  const leaving = () => {
    hadFocus.current = document.activeElement !== document.body;
  };
  const goTo = (item: { id: string } | null) => {
    leaving();
    void navigate(item ? `/projects/${projectId}/label/${item.id}` : `/projects/${projectId}/label`);
  };
  return {
    back: before && (() => goTo(before)),
    forward: at === null ? null : () => goTo(after),
    unsubmitted: left && (() => goTo(left)),
    compare: other ? { n: others.length, position: other.position, go: () => goTo(other) } : null,
    leaving,
    committed: (submitted) => {
      announce("Submitted.");
      if (submitted.batch.is_practice) goTo(submitted);
      else if (at !== null) goTo(after);
    },
    takesFocus: () => hadFocus.current,
  };
}
