import type { CodebookDefinition, StageDefinition } from "../../api/types";
import { ColumnHeads } from "../../components/ColumnHeads";
import { InlineMarkdown, Markdown } from "../../components/Markdown";
import { TableScroll } from "../../components/TableCard";
import { learningWords, opensWords } from "./copy";
import { KeyNotice } from "./KeyNotice";
import { SpanCategories } from "./SpanCategories";

/** A version as people read it. */
export function Reading({ definition }: { definition: CodebookDefinition }) {
  return (
    <>
      <KeyNotice definition={definition} />
      {definition.guidelines && (
        <details className="card codebook-guidelines">
          <summary>Guidelines</summary>
          <Markdown text={definition.guidelines} />
        </details>
      )}
      {definition.stages.length > 0 && (
        <ol className="stage-list">
          {definition.stages.map((stage, place) => (
            <li key={stage.key}>
              <Stage stage={stage} number={place + 1} definition={definition} />
            </li>
          ))}
        </ol>
      )}
      {definition.span_layer && <SpanCategories layer={definition.span_layer} />}
      <p className="card">{learningWords(definition)}</p>
    </>
  );
}

interface StageProps {
  stage: StageDefinition;
  number: number;
  definition: CodebookDefinition;
}

function Stage({ stage, number, definition }: StageProps) {
  const about = [
    opensWords(stage, definition.stages),
    stage.required === false ? "An answer is optional." : "",
    stage.scale === "ordinal" ? "Labels are ordered." : "",
  ];
  return (
    <section className="card stack" aria-labelledby={`stage-${stage.key}`}>
      <div className="stack-tight">
        <div className="card-head">
          <h3 id={`stage-${stage.key}`}>
            {number}. {stage.title}
          </h3>
          <code className="mute small">{stage.key}</code>
        </div>
        <p className="prompt">
          <InlineMarkdown text={stage.prompt} />
        </p>
        <p className="small mute">{about.filter(Boolean).join(" ")}</p>
      </div>
      {stage.help && <Markdown text={stage.help} />}
      <LabelTable stage={stage} />
    </section>
  );
}

function LabelTable({ stage }: { stage: StageDefinition }) {
  return (
    <TableScroll title={`Labels of ${stage.title}`}>
      <table className="table labels">
        <ColumnHeads of={["Label", "Means"]} />
        <tbody>
          {stage.labels.map((label) => (
            <tr key={label.key}>
              <th scope="row">
                {label.name} <code>{label.key}</code>{" "}
                {stage.positive?.includes(label.key) && <span className="tag ok">positive</span>}
              </th>
              <td>
                {label.help ? <Markdown text={label.help} /> : <span className="mute">no help written</span>}
                {label.examples && label.examples.length > 0 && (
                  <ul className="examples">
                    {label.examples.map((example) => (
                      <li key={example}>{example}</li>
                    ))}
                  </ul>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}
