/** What a step, made from an older list, is over the list that the server holds now. Pure. */
import { type Factoid, type FactoidList, type ListStep, withSteps } from "../../../../api/factoids";
import { nextId } from "./steps";

/** The steps in their order, each over what the ones before it make of the list. */
export function stepsOnTop(list: FactoidList, steps: readonly ListStep[]): ListStep[] {
  let now = list;
  return steps.map((each) => {
    const again = stepOnTop(now, each);
    now = withSteps(now, [again]);
    return again;
  });
}

function stepOnTop(list: FactoidList, step: ListStep): ListStep {
  const known = new Map(list.factoids.map((factoid) => [factoid.key, factoid]));
  const changes = step.changes
    .map(({ key, before, after }) => {
      const current = known.get(key) ?? null;
      return { key, before: current, after: merged(before, after, current) };
    })
    .filter(({ before, after }) => before !== null || after !== null);
  const item = list.items.find(({ id }) => id === step.item?.id);
  return {
    kind: step.kind,
    changes: withFreeIds(list, changes),
    item: step.item && {
      ...step.item,
      before: item ? { is_there: item.is_there, note: item.note } : step.item.before,
    },
  };
}

/** A new factoid, or a renumbered one, whose id was given to another one meanwhile gets the next free id. */
function withFreeIds(list: FactoidList, changes: ListStep["changes"]): ListStep["changes"] {
  const changed = new Set(changes.map(({ key }) => key));
  const taken = list.factoids.filter(({ key }) => !changed.has(key)).map(({ id }) => ({ id }));
  return changes.map(({ key, before, after }) => {
    if (!after) return { key, before, after };
    const id = taken.some((each) => each.id === after.id) ? nextId(taken) : after.id;
    taken.push({ id });
    return { key, before, after: id === after.id ? after : { ...after, id } };
  });
}

/** What the step changed is taken from it, all else from the current factoid. One that is gone comes back as the step had it. */
function merged(before: Factoid | null, after: Factoid | null, current: Factoid | null): Factoid | null {
  if (!before || !after || !current) return after;
  return {
    ...current,
    id: after.id === before.id ? current.id : after.id,
    description: after.description === before.description ? current.description : after.description,
    sentences: mergedIds(before.sentences, after.sentences, current.sentences),
    absent: mergedIds(before.absent, after.absent, current.absent),
  };
}

function mergedIds(before: string[], after: string[], current: string[]): string[] {
  const added = after.filter((id) => !before.includes(id));
  const kept = current.filter((id) => after.includes(id) || !before.includes(id));
  return [...new Set([...kept, ...added])];
}
