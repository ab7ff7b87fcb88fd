import { count } from "../../text/format";
import { leftOutWords } from "../../text/leftOut";
import type { EvaluationDetail } from "./api";
import { Verbatim } from "./Exchange";
import { useSystemTitle } from "./useSystemTitle";

/** What was asked for, and which items are not in it. */
export function Setup({ evaluation: { spec, stages } }: { evaluation: EvaluationDetail }) {
  const title = useSystemTitle();
  const usesPrompts = Object.values(spec.kinds).includes("language_model");
  return (
    <section className="card stack" aria-labelledby="setup">
      <h2 id="setup">What was asked for</h2>
      <dl className="setup">
        <Line title="Gold labels" words={goldWords(spec.gold)} />
        <Line title="Systems" words={spec.systems.map(title).join(", ")} />
        <Line title="Folds" words={String(spec.folds)} />
        <Line title="Examples in a prompt" words={String(spec.examples)} />
        <Line title="Seed" words={String(spec.seed)} />
        {spec.limit !== null && <Line title="Items of a stage, at most" words={count(spec.limit)} />}
        {spec.pool > 0 && <Line title="Unlabelled items asked about" words={count(spec.pool)} />}
        {spec.batch !== null && <Line title="Batch asked about too" words={`Round ${spec.batch}`} />}
        <Line title="Benefit of the doubt (ε)" words={String(spec.epsilon)} />
      </dl>
      <h3>Stages</h3>
      <ul className="reasons">
        {stages.map((stage) => (
          <li key={stage.key}>
            {stage.title}: {count(stage.n)} gold labels.{leftOutWords(stage.left_out)}
            <PromptUsed question={spec.questions[stage.key]} title={stage.title} isUsed={usesPrompts} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PromptUsedProps {
  question: EvaluationDetail["spec"]["questions"][string] | undefined;
  title: string;
  isUsed: boolean;
}

/** The prompt as it was then, whatever became of it since. */
function PromptUsed({ question, title, isUsed }: PromptUsedProps) {
  if (!question || !isUsed) return null;
  const { number, template, sha256 } = question.prompt;
  return (
    <details className="more">
      <summary>
        Prompt: {number === 0 ? "the default" : `version ${number}`}{" "}
        <span className="visually-hidden">of {title}</span>
      </summary>
      <Verbatim text={template} title={`Prompt of ${title}`} />
      <p className="small mute">SHA-256 {sha256.slice(0, 12)}…</p>
    </details>
  );
}

function Line({ title, words }: { title: string; words: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{words}</dd>
    </div>
  );
}

function goldWords(gold: EvaluationDetail["spec"]["gold"]): string {
  if (gold.kind === "release") return `release ${gold.number}`;
  return [
    gold.phase === 2 ? "labels after second looks" : "independent labels",
    gold.adjudicated && "adjudicated ones too",
  ]
    .filter(Boolean)
    .join(", ");
}
