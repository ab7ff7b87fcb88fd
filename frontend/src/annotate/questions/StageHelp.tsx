import { labelsOf } from "../../api/codebooks";
import type { LabelDefinition, StageDefinition } from "../../api/types";
import { Markdown } from "../../components/Markdown";

/** What the codebook says about a question and its labels. */
export function StageHelp({ stage }: { stage: StageDefinition }) {
  const helped = labelsOf(stage).filter((label) => label.help || label.examples?.length);
  return (
    <div className="stage-help">
      {stage.help && <Markdown text={stage.help} />}
      {helped.length > 0 && (
        <dl>
          {helped.map((label) => (
            <LabelHelp key={label.key} label={label} />
          ))}
        </dl>
      )}
      {!stage.help && helped.length === 0 && (
        <p className="mute">The codebook has no help for this question.</p>
      )}
    </div>
  );
}

function LabelHelp({ label }: { label: LabelDefinition }) {
  return (
    <>
      <dt>{label.name}</dt>
      <dd>
        {label.help && <Markdown text={label.help} />}
        {label.examples?.map((example) => (
          <p className="example" key={example}>
            {example}
          </p>
        ))}
      </dd>
    </>
  );
}
