import { type KeyboardEvent, memo, useEffect, useId, useMemo, useRef } from "react";
import { Key } from "../../../components/Key";
import { Failure, Loading } from "../../../components/states";
import { count } from "../../../text/format";
import type { Hit } from "../../../text/search";
import { type Block, textModel } from "../model/textModel";
import type { Sources } from "../useSources";
import { SmallButton } from "./SmallButton";

interface SourcesPanelProps {
  sources: Sources;
  keyName: string | null;
  onLeave: () => void;
}

/** The documents that the text is about, beside it. */
export function SourcesPanel({ sources, keyName, onLeave }: SourcesPanelProps) {
  const id = useId();
  return (
    <aside className="sources card" aria-label="Sources">
      <div className="sources-head">
        <Tabs sources={sources} panelId={`${id}-panel`} />
        <button type="button" className="button small-button" onClick={sources.toggle}>
          Close {keyName && <Key name={keyName} />}
        </button>
      </div>
      <Search sources={sources} onLeave={onLeave} />
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both of its roles take a name */}
      <div
        className="source-panel"
        id={`${id}-panel`}
        role={sources.names.length > 1 ? "tabpanel" : "group"}
        aria-label={sources.names.find((each) => each.id === sources.active)?.title}
        tabIndex={0}
      >
        <SourceShown sources={sources} />
      </div>
    </aside>
  );
}

function Tabs({ sources, panelId }: { sources: Sources; panelId: string }) {
  const { names, active, show } = sources;
  const [only] = names;
  if (names.length === 1 && only)
    return (
      <h2 dir="auto" title={only.title}>
        {only.title}
      </h2>
    );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const place = names.findIndex(({ id }) => id === active) + by;
    const next = names.at(place % names.length);
    if (!next) return;
    show(next.id);
    const tabs = event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]");
    [...tabs].at(place % names.length)?.focus();
  };
  return (
    <div role="tablist" aria-label="Sources" className="source-tabs" onKeyDown={onKeyDown}>
      {names.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          role="tab"
          className="source-tab"
          dir="auto"
          title={title}
          aria-selected={id === active}
          aria-controls={panelId}
          tabIndex={id === active ? 0 : -1}
          onClick={() => show(id)}
        >
          <span>{title}</span>
        </button>
      ))}
    </div>
  );
}

function Search({ sources, onLeave }: { sources: Sources; onLeave: () => void }) {
  const { sought, seek, hits, at, step, searchRef } = sources;
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    if (event.key === "Escape") onLeave();
    else step(event.shiftKey ? -1 : 1);
  };
  const words = hits.length === 0 ? "Not found" : `${count(at + 1)} of ${count(hits.length)}`;
  return (
    <div className="source-search">
      <label htmlFor={id} className="small">
        Search <Key name="/" />
      </label>
      <input
        id={id}
        ref={searchRef}
        type="search"
        className="input"
        value={sought}
        aria-describedby={`${id}-found`}
        onChange={(event) => seek(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span id={`${id}-found`} className="small mute numbers" role="status">
        {sought.trim() && words}
      </span>
      <SmallButton
        keyName={null}
        name="Previous one found (Shift and Enter)"
        isOff={hits.length === 0}
        onClick={() => step(-1)}
      >
        ▴
      </SmallButton>
      <SmallButton
        keyName={null}
        name="Next one found (Enter)"
        isOff={hits.length === 0}
        onClick={() => step(1)}
      >
        ▾
      </SmallButton>
    </div>
  );
}

function SourceShown({ sources }: { sources: Sources }) {
  const { text, error, retry, hits, at } = sources;
  if (error) return <Failure error={error} retry={retry} />;
  if (!text) return <Loading what="the source" />;
  return <SourceText text={text.text} hits={hits} at={at} />;
}

const NO_HITS: readonly Hit[] = [];

function SourceText({ text, hits, at }: { text: string; hits: readonly Hit[]; at: number }) {
  const { blocks } = useMemo(() => textModel(text), [text]);
  const root = useRef<HTMLDivElement>(null);
  const now = hits[at];
  useEffect(() => {
    // Another hit, or the same in another text.
    const mark = root.current?.querySelector("mark.now");
    const panel = root.current?.closest(".source-panel");
    if (!now || !mark || !panel) return;
    // The panel alone moves: the text beside it stays where it is.
    const shift = mark.getBoundingClientRect().top - panel.getBoundingClientRect().top;
    panel.scrollTop += shift - panel.clientHeight / 3;
  }, [now]);
  return (
    <div className="source-text" ref={root}>
      {blocks.map((block) => {
        const here = hits.filter(({ start, end }) => start < block.to && end > block.from);
        return (
          <SourceBlock
            key={block.from}
            text={text}
            block={block}
            hits={here.length > 0 ? here : NO_HITS}
            now={now && here.includes(now) ? now : null}
          />
        );
      })}
    </div>
  );
}

interface SourceBlockProps {
  text: string;
  block: Block;
  hits: readonly Hit[];
  now: Hit | null;
}

const SourceBlock = memo(function SourceBlock({ text, block, hits, now }: SourceBlockProps) {
  const parts = hits.flatMap((hit, place) => {
    const start = Math.max(hit.start, block.from);
    const end = Math.min(hit.end, block.to);
    const from = Math.max(hits[place - 1]?.end ?? 0, block.from);
    return [
      text.slice(from, start),
      <mark key={start} className={hit === now ? "now" : undefined}>
        {text.slice(start, end)}
      </mark>,
    ];
  });
  return (
    <div dir="auto">
      {parts}
      {text.slice(Math.max(hits.at(-1)?.end ?? 0, block.from), block.to)}
    </div>
  );
});
