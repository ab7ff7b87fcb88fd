import { useMemo, useState } from "react";
import { Link } from "react-router";
import { CodebookDialog } from "../../annotate/CodebookDialog";
import { nameOf } from "../../annotate/spans/model/categories";
import { textModel } from "../../annotate/spans/model/textModel";
import { HelpSheet } from "../../components/HelpSheet";
import { MetaList } from "../../components/MetaList";
import { NotLoaded } from "../../components/states";
import { useKeyboard } from "../../keyboard/useKeyboard";
import { batchName } from "../../text/format";
import { type ItemPage, layerOf } from "./api";
import { compareAll, summaryOf } from "./model/compare";
import { STATE_WORDS, stateTag } from "./model/copy";
import { pathTo } from "./model/paths";
import { AnnotationColumn } from "./parts/AnnotationColumn";
import { DecisionCard } from "./parts/DecisionCard";
import { Differences } from "./parts/Differences";
import { EditPanel } from "./parts/EditPanel";
import { ItemNav } from "./parts/ItemNav";
import { RejectDialog } from "./parts/RejectDialog";
import { SettledColumn } from "./parts/SettledColumn";
import { SourcesBeside, SourcesHidden } from "./parts/SourcesBeside";
import type { Held } from "./parts/SpanLines";
import { type ItemBench as Bench, useItemBench } from "./useItemBench";

interface ItemBenchProps {
  page: ItemPage;
  projectId: string;
  /** Why it could not be loaded anew. */
  loadError: unknown;
}

/** One item: its annotations side by side, what was decided, and the ways to decide. */
export function ItemBench({ page, projectId, loadError }: ItemBenchProps) {
  const bench = useItemBench(page, projectId);
  useKeyboard(bench.edit ? [] : bench.actions);
  return (
    <main className="page validation" id="main">
      <Head page={page} projectId={projectId} />
      {loadError !== null && (
        <NotLoaded what="What is there now" error={loadError} retry={() => window.location.reload()} />
      )}
      <SourcesHidden bench={bench} />
      <div className="validation-sides">
        <div className="stack">
          {bench.edit ? (
            <EditPanel key={bench.timesBegun} bench={bench} start={bench.edit} />
          ) : (
            <DecisionCard bench={bench} />
          )}
          <Columns bench={bench} />
        </div>
        <SourcesBeside bench={bench} />
      </div>
      {!bench.edit && <ItemNav bench={bench} />}
      <Overlays bench={bench} />
    </main>
  );
}

function Head({ page, projectId }: { page: ItemPage; projectId: string }) {
  const { item } = page;
  return (
    <div className="page-head">
      <p className="small">
        <Link to={pathTo(projectId)}>All items</Link>
      </p>
      <div className="row">
        <h1 dir="auto">{item.document.title || item.document.external_id}</h1>
        <span className={stateTag(page.state)}>{STATE_WORDS[page.state]}</span>
      </div>
      <p className="mute small">
        {[item.external_id, batchName(page.batch_kind, page.batch_number), item.speaker]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <MetaList fields={item.beside} />
    </div>
  );
}

function Columns({ bench }: { bench: Bench }) {
  const { page, onlyDifferences, commands } = bench;
  const [held, setHeld] = useState<Held | null>(null);
  const layer = layerOf(page);
  const model = useMemo(() => textModel(page.item.text), [page.item.text]);
  const compared = useMemo(() => {
    const given = page.annotations.filter(({ skipped }) => !skipped);
    return {
      marks: compareAll(given, (key) => nameOf(layer, key)),
      summary: given.length > 1 ? summaryOf(given) : null,
    };
  }, [page.annotations, layer]);
  const titles = new Map(page.sources.map(({ id, title, external_id }) => [id, title || external_id]));
  const shared = { model, layer, titles, held, onHold: setHeld };
  if (page.state === "waiting") return <Waiting page={page} />;
  return (
    <section className="stack" aria-label="Annotations">
      {compared.summary && (
        <Differences {...compared.summary} isOn={onlyDifferences} onToggle={commands.toggleDifferences} />
      )}
      <div className="side-by-side">
        {page.decision && <SettledColumn page={page} decision={page.decision} {...shared} />}
        {page.annotations.map((annotation) => (
          <AnnotationColumn
            key={annotation.letter}
            annotation={annotation}
            bench={bench}
            marks={compared.marks.get(annotation.letter)}
            {...shared}
          />
        ))}
      </div>
    </section>
  );
}

function Waiting({ page: { n_submitted, n_needed, item } }: { page: ItemPage }) {
  return (
    <section className="card stack" aria-label="Text">
      <p>
        {n_submitted} of {n_needed} annotations are in. They are shown here once all are: whoever annotates
        too must not see others’ work before their own is done.
      </p>
      <p className="plain-text" dir="auto">
        {item.text}
      </p>
    </section>
  );
}

function Overlays({ bench }: { bench: Bench }) {
  const close = () => bench.setOverlay(null);
  switch (bench.overlay) {
    case "keys":
      return <HelpSheet actions={bench.actions} onClose={close} />;
    case "codebook": {
      const { definition, version } = bench.page.codebook;
      return <CodebookDialog definition={definition} version={version} onClose={close} />;
    }
    case "reject":
      return (
        <RejectDialog
          isBusy={bench.isBusy}
          error={bench.error}
          form={bench.rejection}
          onReject={bench.commands.reject}
          onClose={bench.commands.stopRejecting}
          onDrop={bench.commands.dropRejection}
        />
      );
    case null:
      return null;
  }
}
