import { type ReactNode, type Ref, type RefObject, useMemo } from "react";
import type { ContextLevel, Item, Turn } from "../../api/types";
import { Key } from "../../components/Key";
import { MetaList } from "../../components/MetaList";
import { claimWords, placeWords, RUNG_TITLES } from "../copy";
import { beforeFive, isOpenAt, nextLevel, rungsOf } from "./contextLevels";

interface ReadingProps {
  item: Item;
  claimedUntil: string | null;
  opened: ContextLevel;
  /** Opens up to this level, or closes down to it. */
  onLevel: (level: ContextLevel) => void;
  markRef: RefObject<HTMLElement | null>;
  sectionRef: Ref<HTMLElement>;
  /** In place of the sentence. */
  children?: ReactNode;
}

/** The sentence, and above it the ladder of context: widest rung on top, nearest one next to the sentence. */
export function Reading(props: ReadingProps) {
  const { item, claimedUntil, opened, onLevel, markRef, sectionRef, children } = props;
  const rungs = rungsOf(item);
  const next = nextLevel(item, opened);
  const turns = useMemo(() => laddersOf(item, opened), [item, opened]);
  return (
    <section className="reading card" aria-label="Text" ref={sectionRef} tabIndex={-1}>
      <Origin item={item} claimedUntil={claimedUntil} />
      {rungs.length === 0 && !children && <p className="rung-note">This text came without context.</p>}
      {[...rungs].reverse().map((level) => (
        <div key={level}>
          <RungButton level={level} rungs={rungs} opened={opened} isNext={level === next} onLevel={onLevel} />
          {isOpenAt(level, opened) && <Before turns={turns[level]} />}
        </div>
      ))}
      {children ?? <Sentence item={item} isWhole={isOpenAt("utterance", opened)} markRef={markRef} />}
    </section>
  );
}

function Origin({ item, claimedUntil }: { item: Item; claimedUntil: string | null }) {
  const title = item.document.title || item.document.external_id;
  const parts = [title, item.speaker, placeWords(item), claimedUntil && claimWords(claimedUntil)];
  return (
    <>
      <p className="origin">
        {parts.filter(Boolean).map((part) => (
          <span key={part}>{part}</span>
        ))}
      </p>
      <MetaList fields={item.beside} />
    </>
  );
}

interface RungButtonProps {
  level: ContextLevel;
  rungs: ContextLevel[];
  opened: ContextLevel;
  isNext: boolean;
  onLevel: (level: ContextLevel) => void;
}

function RungButton({ level, rungs, opened, isNext, onLevel }: RungButtonProps) {
  const isOpen = isOpenAt(level, opened);
  const isWidest = isOpen && level === opened;
  const below = rungs[rungs.indexOf(level) - 1] ?? "sentence";
  return (
    <button
      type="button"
      className="rung"
      aria-expanded={isOpen}
      onClick={() => onLevel(isOpen ? below : level)}
    >
      <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {RUNG_TITLES[level]}
      {isNext && <Key name="c" />}
      {isWidest && <Key name="shift+c" />}
    </button>
  );
}

type Ladders = Partial<Record<ContextLevel, Turn[] | null>>;

/** What stands under each open rung; a text that a nearer rung shows already is not shown twice. */
function laddersOf(item: Item, opened: ContextLevel): Ladders {
  const { minus_5_sentences: five, minus_200_tokens: wide } = item.context;
  if (!isOpenAt("minus_200_tokens", opened)) return { minus_5_sentences: five };
  const rest = beforeFive(wide, five);
  // The two lists differ in their ends: the wider one is shown whole in place of both.
  return rest
    ? { minus_200_tokens: rest, minus_5_sentences: five }
    : { minus_200_tokens: wide, minus_5_sentences: null };
}

function Before({ turns }: { turns: Turn[] | null | undefined }) {
  if (turns === undefined) return null;
  if (turns === null) return <p className="rung-note">Shown above, within the 200 words.</p>;
  if (turns.length === 0)
    return <p className="rung-note">Nothing more: the document starts here, or it is shown below.</p>;
  return (
    <div className="text">
      {turns.map((turn, place) => (
        <div className="turn" key={String(place)}>
          {turn.speaker && <span className="who">{turn.speaker}</span>}
          <p dir="auto">{turn.text}</p>
        </div>
      ))}
    </div>
  );
}

/** The text as imported, character for character: nothing may stand between the three parts. */
function Sentence({
  item,
  isWhole,
  markRef,
}: {
  item: Item;
  isWhole: boolean;
  markRef: RefObject<HTMLElement | null>;
}) {
  const { utterance } = item.context;
  const speaker = utterance?.speaker ?? item.speaker;
  return (
    <div className="text">
      {speaker && <span className="who">{speaker}</span>}
      <p dir="auto" data-testid="sentence">
        {isWhole && utterance?.before}
        <mark ref={markRef}>{item.text}</mark>
        {isWhole && utterance?.after}
      </p>
    </div>
  );
}
