import { ColorMark } from "../../annotate/ColorMark";
import { labelsOf } from "../../api/codebooks";
import type {
  CodebookDefinition,
  LabelDefinition,
  LabelStage,
  ScaleStage,
  SeveralStage,
  StageDefinition,
} from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { InlineMarkdown, Markdown } from "../../components/Markdown";
import { answerWords, learningWords, opensWords } from "./copy";
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
    answerWords(stage),
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
      <AnswersTable stage={stage} />
    </section>
  );
}

/** What a stage offers; of one whose answer is written nothing more than what `about` says. */
function AnswersTable({ stage }: { stage: StageDefinition }) {
  if ("labels" in stage) return <LabelTable stage={stage} />;
  return stage.type === "scale" ? <PointTable stage={stage} /> : null;
}

function PointTable({ stage }: { stage: ScaleStage }) {
  return (
    <DataTable
      title={`Points of ${stage.title}`}
      className="labels"
      rows={labelsOf(stage)}
      keyOf={({ key }) => key}
      columns={[["Point, from low to high", ({ name }) => name]]}
    />
  );
}

function LabelTable({ stage }: { stage: LabelStage | SeveralStage }) {
  return (
    <DataTable
      title={`Labels of ${stage.title}`}
      className="labels"
      rows={stage.labels}
      keyOf={({ key }) => key}
      columns={[
        [
          "Label",
          ({ key, name, color }) => (
            <>
              <ColorMark color={color} /> {name} <code>{key}</code>{" "}
              {"positive" in stage && stage.positive?.includes(key) && (
                <span className="tag ok">positive</span>
              )}
            </>
          ),
        ],
        ["Means", Meaning],
      ]}
    />
  );
}

function Meaning({ help, examples = [] }: LabelDefinition) {
  return (
    <>
      {help ? <Markdown text={help} /> : <span className="mute">no help written</span>}
      {examples.length > 0 && (
        <ul className="examples">
          {examples.map((example) => (
            <li key={example}>{example}</li>
          ))}
        </ul>
      )}
    </>
  );
}
