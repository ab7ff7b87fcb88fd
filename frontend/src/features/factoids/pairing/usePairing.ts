import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import type { Factoid } from "../../../api/factoids";
import { useAnnounce } from "../../../components/Announcer";
import { useAskBeforeLeaving } from "../../../kept/leaving";
import { type Action, action } from "../../../keyboard/registry";
import { uuid } from "../../../outbox/uuid";
import { factoidsApi, pairingQuery } from "../api";
import { RELATION_HELP, RELATION_WORDS, RELATIONS } from "../copy";
import type { LinkKind, Pairing, PairLink, Relation } from "../types";
import { type Filters, keyOf, matching, mostUncertain, overlap, type Which, withRelation } from "./pairs";

interface Judging {
  link: PairLink;
  relation: Relation | null;
  clientId: string;
}

const AT_HAND = "with a pair at hand";

/** The filters are in the address: a reload keeps them, and they can be sent to somebody. */
function useFilters() {
  const [address, setAddress] = useSearchParams();
  const filters: Filters = {
    which: (address.get("which") as Which | null) ?? "all",
    relation: (address.get("relation") as Relation | null) ?? "",
    link: (address.get("link") as LinkKind | null) ?? "",
  };
  const change = (part: Partial<Filters>) => {
    const next = { ...filters, ...part };
    setAddress(
      Object.fromEntries(Object.entries(next).filter(([, value]) => value !== "" && value !== "all")),
    );
  };
  return { filters, change };
}

/** The pair at hand, and everything that can be done about it, by button and by key. */
export function usePairing(pairing: Pairing) {
  const client = useQueryClient();
  const announce = useAnnounce();
  const { filters, change } = useFilters();
  const factoids = useMemo(
    () =>
      new Map(
        [...pairing.first_factoids, ...pairing.second_factoids].map((factoid) => [factoid.key, factoid]),
      ),
    [pairing.first_factoids, pairing.second_factoids],
  );
  const rows = useMemo(() => matching(pairing.links, filters), [pairing.links, filters]);
  const [aside, setAside] = useState<ReadonlySet<string>>(new Set());
  const [chosen, choose] = useState<PairLink | null>(
    () => mostUncertain(pairing.links, pairing.threshold, new Set()) ?? pairing.links[0] ?? null,
  );
  const [done, setDone] = useState<PairLink[]>([]);
  const [keysShown, showKeys] = useState(false);
  const buttons = useRef(new Map<string, HTMLButtonElement>());
  // What the server knows of the pair may be newer than what was chosen.
  const current =
    chosen &&
    (pairing.links.find(({ a, b }) => a === chosen.a && b === chosen.b) ?? { ...chosen, relation: null });
  const place = current ? rows.findIndex((link) => keyOf(link) === keyOf(current)) : -1;
  const mayJudge = current !== null && current.a !== "" && current.b !== "" && !pairing.is_frozen;

  const { queryKey } = pairingQuery(pairing.id);
  const show = (judged: PairLink, relation: Relation | null) =>
    client.setQueryData<Pairing>(queryKey, (before) => before && withRelation(before, judged, relation));
  const key = ["judge", pairing.id];
  const judging = useMutation({
    mutationKey: key,
    // One after another, in the order in which they were judged.
    scope: { id: key.join(" ") },
    mutationFn: ({ link: { a, b }, relation, clientId }: Judging) =>
      factoidsApi.judge(pairing.id, { client_id: clientId, a, b, relation: relation ?? "" }),
    onError: (_, { link }) => {
      show(link, link.relation);
      setDone((all) => all.filter((each) => keyOf(each) !== keyOf(link)));
      choose(link);
    },
    // The table is counted by the server, once nothing more is on its way.
    onSettled: () => {
      if (client.isMutating({ mutationKey: key }) === 1) void client.invalidateQueries({ queryKey });
    },
  });
  useAskBeforeLeaving(judging.isPending ? "A judgement is not stored yet." : null);

  const store = (link: PairLink, relation: Relation | null) => {
    void client.cancelQueries({ queryKey });
    show(link, relation);
    judging.mutate({ link, relation, clientId: uuid() });
  };
  const go = (link: PairLink) => {
    choose(link);
    buttons.current.get(keyOf(link))?.scrollIntoView?.({ block: "nearest" });
  };
  const step = (by: number) => {
    const to = rows[place === -1 ? 0 : place + by];
    if (to) go(to);
  };
  const nextUncertain = (links: readonly PairLink[], without: ReadonlySet<string>) => {
    const next = mostUncertain(links, pairing.threshold, without);
    if (next) go(next);
    return next;
  };
  const judge = (relation: Relation) => {
    if (!current || !mayJudge) return;
    const link = current;
    store(link, relation);
    setDone((all) => [...all, link]);
    announce(`${nameOf(link.a)} and ${nameOf(link.b)}: ${RELATION_WORDS[relation]}.`);
    const rest = withRelation(pairing, link, relation).links;
    if (!nextUncertain(rest, aside)) announce("All pairs are judged.");
  };
  const withdraw = () => {
    if (!current || !mayJudge || current.relation === null) return;
    store(current, null);
    setDone((all) => [...all, current]);
    announce("Judgement withdrawn.");
  };
  const undo = () => {
    const last = done.at(-1);
    if (!last) return;
    store(last, last.relation);
    setDone((all) => all.slice(0, -1));
    go(last);
    announce(`Taken back: ${nameOf(last.a)} and ${nameOf(last.b)}.`);
  };
  const skip = () => {
    if (!current) return;
    const without = new Set([...aside, keyOf(current)]);
    setAside(without);
    nextUncertain(pairing.links, without);
  };
  const nameOf = (factoid: string) => factoids.get(factoid)?.id ?? "?";

  const held = (each: Action): Action => ({ ...each, whileHeld: true });
  const [hasNext, hasPrevious] = [place + 1 < rows.length, place > 0];
  const n_open = pairing.links.filter(({ relation }) => relation === null).length;
  const canWithdraw = mayJudge && current?.relation !== null;
  const actions: Action[] = [
    ...RELATIONS.map((relation, at) =>
      action(
        `judge-${relation}`,
        `${RELATION_WORDS[relation]}: ${RELATION_HELP[relation]}`,
        "Judge",
        String(at + 1),
        mayJudge,
        () => judge(relation),
        AT_HAND,
      ),
    ),
    action("withdraw", "Withdraw the judgement", "Judge", "0", canWithdraw, withdraw, "once it is judged"),
    action("undo", "Undo the last judgement", "Judge", "u", done.length > 0, undo, "once one is made"),
    action("skip", "Put aside, and go to the next uncertain pair", "Judge", "s", n_open > 0, skip, AT_HAND),
    ...["arrowdown", "j"].map((name) =>
      held(
        action(
          `next-${name}`,
          "Next pair of the list",
          "List",
          name,
          hasNext,
          () => step(1),
          "before the last",
        ),
      ),
    ),
    ...["arrowup", "k"].map((name) =>
      held(
        action(`back-${name}`, "Pair before", "List", name, hasPrevious, () => step(-1), "after the first"),
      ),
    ),
    action("keys", "Show the keys", "Page", "?", true, () => showKeys(true)),
  ];
  return {
    ...{ pairing, factoids, filters, change, rows, current, actions, keysShown, showKeys, go, judge },
    ...{ withdraw, undo, skip, step, mayJudge, hasNext, hasPrevious, n_open, canWithdraw },
    ...{ error: judging.error, isPaused: judging.isPaused, canUndo: done.length > 0 },
    factoid: (which: string): Factoid | null => factoids.get(which) ?? null,
    /** A pair that the machine did not link, put together by hand. */
    relate: (a: string, b: string) => {
      const known = pairing.links.find((link) => link.a === a && link.b === b);
      const [ofA, ofB] = [factoids.get(a), factoids.get(b)];
      const f = ofA && ofB ? overlap(ofA, ofB) : 0;
      choose(known ?? { a, b, f, direction: "none", relation: null });
    },
    hold: (link: PairLink, button: HTMLButtonElement | null) => {
      if (button) buttons.current.set(keyOf(link), button);
      else buttons.current.delete(keyOf(link));
    },
  };
}

export type PairingState = ReturnType<typeof usePairing>;
