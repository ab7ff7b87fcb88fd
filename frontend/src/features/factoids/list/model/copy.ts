/** What is said of steps and answers, in words. */
import type { FactoidList, ListItem, StepKind, StoredRevision } from "../../../../api/factoids";
import { counted } from "../../../../text/format";

interface Said {
  kind: StepKind | StoredRevision["kind"];
  changes: Pick<StoredRevision["changes"][number], "before" | "after">[];
  item: StoredRevision["item"];
}

type Named = Pick<FactoidList, "factoids" | "items">;

/** "Linked M01-003 to P3". The list names the item that a step decided. */
export function stepWords({ kind, changes, item }: Said, list: Named): string {
  const [first] = changes;
  const name = first?.after?.id ?? first?.before?.id ?? "";
  const gone = changes.find(({ after }) => after === null)?.before?.id;
  const made = changes.find(({ before }) => before === null)?.after?.id;
  switch (kind) {
    case "new":
      return `New factoid ${name}`;
    case "describe":
      return `Described ${name}: ${first?.after?.description || "no words"}`;
    case "link":
      return `Linked ${differing(first?.after?.sentences, first?.before?.sentences)} to ${name}`;
    case "unlink":
      return `Unlinked ${differing(first?.before?.sentences, first?.after?.sentences)} from ${name}`;
    case "split":
      return `Split ${name} into ${name} and ${made}`;
    case "merge":
      return `Merged ${gone} into ${name}`;
    case "renumber":
      return changes.length === 1
        ? `Renumbered ${first?.before?.id} to ${name}`
        : `Renumbered ${counted(changes.length, "factoid")}`;
    case "delete":
      return `Deleted ${name}`;
    case "absent":
      return absentWords(changes);
    case "decide":
      return decidedWords(item, list);
    case "import":
      return `Imported ${counted(changes.length, "factoid")}`;
    case "undo":
      return `Undone${touched(changes, itemName(item, list))}`;
    case "redo":
      return `Done again${touched(changes, itemName(item, list))}`;
  }
}

/** "Decided F1 in M02: it is not there". Of an old step nobody knows which item it decided. */
function decidedWords(item: Said["item"], list: Named): string {
  if (item === null) return "Decided an item";
  const name = itemName(item, list);
  const { is_there } = item.after;
  if (is_there === null) return `Opened ${name} again`;
  const anew = item.before.is_there === null ? "" : " anew";
  return `Decided ${name}${anew}: it is ${is_there ? "there" : "not there"}`;
}

/** "F1 in M02". */
function itemName(decided: Said["item"], { factoids, items }: Named): string {
  const item = items.find(({ id }) => id === decided?.id);
  if (!item) return "";
  return `${factoids.find(({ key }) => key === item.key)?.id} in ${item.text}`;
}

function absentWords(changes: Said["changes"]): string {
  const [first] = changes;
  const name = first?.after?.id ?? "";
  const text = differing(first?.after?.absent, first?.before?.absent);
  if (changes.length > 1) return `${counted(changes.length, "factoid")} not in ${text}`;
  if (text) return `${name} is not in ${text}`;
  return `${name} is undecided in ${differing(first?.before?.absent, first?.after?.absent)} again`;
}

function differing(these: readonly string[] = [], others: readonly string[] = []): string {
  return these.filter((id) => !others.includes(id)).join(", ");
}

function touched(changes: Said["changes"], item: string): string {
  const factoids = changes.map(({ before, after }) => after?.id ?? before?.id).filter(Boolean);
  const names = item ? [item] : factoids;
  if (names.length === 0) return "";
  return `: ${names.slice(0, 3).join(", ")}${names.length > 3 ? " and others" : ""}`;
}

/** Why nothing can be changed; null where it can. */
export function readOnlyWords(list: FactoidList): string | null {
  if (list.state === "published")
    return `This list is published as version ${list.version}. It does not change any more.`;
  if (list.state === "closed")
    return "This phase is closed. The list stays as it is; an admin can open the phase again.";
  if (!list.may_edit) return "You may read this list, and not change it.";
  if (list.done_at !== null) return "You marked this list as done. Take that back to change it.";
  return null;
}

export function titleOf(list: FactoidList): string {
  if (list.step === "second_look") return "Second look";
  if (list.kind === "consensus" || list.step === "consensus") return "Consensus";
  return list.kind === "annotation" ? "Annotate" : "Define factoids";
}

/** How an item was answered before, for the person whose answer it is. */
export function earlierWords(item: ListItem): string | null {
  if (item.was_there === null) return null;
  return item.was_there ? "You said that it is there." : "You said that it is not there.";
}

/** What an answer means for an item. */
export function answerWords(item: ListItem, isThere: boolean): string {
  const says = isThere ? "It is there" : "It is not there";
  if (item.was_there === null) return says;
  return item.was_there === isThere ? `${says}: my answer stands` : `${says}: correct my answer`;
}
