import type { CodebookDefinition } from "../api/types";
import { Dialog } from "../components/Dialog";
import { InlineMarkdown, Markdown } from "../components/Markdown";
import { StageHelp } from "./questions/StageHelp";
import { CategoryHelp } from "./spans/parts/CategoryHelp";
import { CodebookNotes } from "./threads/CodebookNotes";

interface CodebookDialogProps {
  definition: CodebookDefinition;
  version: number;
  onClose: () => void;
}

/** The whole codebook that the batch is labelled with. */
export function CodebookDialog({ definition, version, onClose }: CodebookDialogProps) {
  return (
    <Dialog title={`${definition.name}, version ${version}`} onClose={onClose}>
      {definition.guidelines && <Markdown text={definition.guidelines} />}
      <CodebookNotes definition={definition} version={version} />
      {definition.stages.map((stage) => (
        <section className="stack" key={stage.key} aria-label={stage.title}>
          <h2>{stage.title}</h2>
          <p>
            <InlineMarkdown text={stage.prompt} />
          </p>
          <StageHelp stage={stage} />
        </section>
      ))}
      {definition.span_layer && (
        <section className="stack" aria-label="Spans">
          <h2>Spans</h2>
          <CategoryHelp layer={definition.span_layer} />
        </section>
      )}
    </Dialog>
  );
}
