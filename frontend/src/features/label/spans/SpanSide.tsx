import { CategoryHelp } from "../../../annotate/spans/parts/CategoryHelp";
import { EditableSpans } from "../../../annotate/spans/parts/EditableSpans";
import type { SpanBench } from "./useSpanBench";

/** Beside the text: the spans in its order, what is missing, and the codebook's help. */
export function SpanSide({ bench, showHelp }: { bench: SpanBench; showHelp: boolean }) {
  const { layer, selectedSpan } = bench.editor;
  return (
    <>
      <EditableSpans marking={bench} sources={bench.sources} />
      {showHelp && <CategoryHelp layer={layer} only={selectedSpan?.category} />}
    </>
  );
}
