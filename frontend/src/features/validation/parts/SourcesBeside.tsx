import { SourcesPanel } from "../../../annotate/spans/parts/SourcesPanel";
import { Key } from "../../../components/Key";
import { counted } from "../../../text/format";
import type { ItemBench } from "../useItemBench";

/** The documents that the item is about, beside what was marked in it. */
export function SourcesBeside({ bench: { sources, sourcesKey } }: { bench: ItemBench }) {
  if (!sources.isOpen || sources.names.length === 0) return null;
  return (
    <SourcesPanel sources={sources} keyName={sourcesKey} onLeave={() => sources.searchRef.current?.blur()} />
  );
}

/** The way to them while they are closed. */
export function SourcesHidden({ bench: { sources, sourcesKey } }: { bench: ItemBench }) {
  if (sources.isOpen || sources.names.length === 0) return null;
  return (
    <button type="button" className="button quiet" onClick={sources.toggle}>
      <span aria-hidden="true">▸</span> {counted(sources.names.length, "source")} beside the text
      {sourcesKey && <Key name={sourcesKey} />}
    </button>
  );
}
