import { answerName, asksForContext } from "../../../annotate/copy";
import type { StageDefinition } from "../../../api/types";
import { type Column, DataTable } from "../../../components/DataTable";
import type { AnonymizedAnswer, Case } from "../api";
import { stateTag, stateWords } from "../model/copy";

interface AnswersTableProps {
  page: Case;
  stages: readonly StageDefinition[];
  phase: 1 | 2;
}

/** The answers side by side: a column for each person, under a letter that means nothing. */
export function AnswersTable({ page, stages, phase }: AnswersTableProps) {
  const asked = stages.filter(({ key }) =>
    page.answers.some(({ first, second }) => key in first.answers || (second && key in second.answers)),
  );
  return (
    <section className="card stack" aria-labelledby="answers">
      <div className="card-head">
        <h2 id="answers">The answers</h2>
        <span className="small mute">without names, in an order of your own</span>
      </div>
      <DataTable
        title="The answers"
        className="answers"
        rows={asked}
        keyOf={({ key }) => key}
        columns={[
          ["Stage", ({ title }) => title],
          ...page.answers.map(
            (each): Column<StageDefinition> => [
              each.letter,
              (stage) => <Cell stage={stage} answers={each} phase={phase} />,
            ],
          ),
          ...page.predictions.map(
            (each): Column<StageDefinition> => [
              `${each.system} (a model)`,
              (stage) => <Predicted stage={stage} said={each.stages[stage.key]} />,
            ],
          ),
          [
            phase === 2 ? "After the second look" : "Together",
            (stage) => <Together page={page} stage={stage} />,
          ],
        ]}
      >
        <Remarks page={page} phase={phase} />
      </DataTable>
      {page.answers.length === 0 && <p className="mute">Nobody answered this item.</p>}
    </section>
  );
}

/** What counts in the phase. */
function said({ first, second }: AnonymizedAnswer, phase: 1 | 2): AnonymizedAnswer["first"] {
  return phase === 2 && second ? second : first;
}

interface CellProps {
  stage: StageDefinition;
  answers: AnonymizedAnswer;
  phase: 1 | 2;
}

/** What counts in the phase stands first; beside it what the person said in the other one, where it was another. */
function Cell({ stage, answers: { first, second }, phase }: CellProps) {
  const independent = first.answers[stage.key];
  const later = second ? second.answers[stage.key] : independent;
  const [counts, other] = phase === 2 ? [later, independent] : [independent, later];
  return (
    <>
      {counts === undefined ? <span className="mute">not asked</span> : answerName(stage, counts)}
      {counts !== other && (
        <span className="basis">
          {phase === 2 ? "first" : "second look"}:{" "}
          {other === undefined ? "not asked" : answerName(stage, other)}
        </span>
      )}
    </>
  );
}

interface PredictedProps {
  stage: StageDefinition;
  said: Case["predictions"][number]["stages"][string] | undefined;
}

/** What a model says, marked as a model's in the column's head. */
function Predicted({ stage, said }: PredictedProps) {
  if (!said) return <span className="mute">none</span>;
  const context = said.label === "yes" ? "More than the sentence" : "The sentence alone";
  return (
    <>
      {asksForContext(stage) ? context : answerName(stage, said.label)}
      {said.confidence !== null && <span className="basis">{Math.round(100 * said.confidence)} % sure</span>}
      {said.explanation && <span className="basis">{said.explanation}</span>}
    </>
  );
}

function Together({ page, stage }: { page: Case; stage: StageDefinition }) {
  const outcome = page.voted.find((each) => each.stage === stage.key);
  if (!outcome) return null;
  return (
    <>
      {outcome.label_key !== null && `${answerName(stage, outcome.label_key)} `}
      <span className={stateTag(outcome.state)}>
        {stateWords(outcome.state, Object.keys(outcome.votes).length > 1)}
      </span>
    </>
  );
}

function Remarks({ page, phase }: { page: Case; phase: 1 | 2 }) {
  const rows = [
    { title: "Skipped", of: (each: AnonymizedAnswer["first"]) => each.skip_reason ?? "" },
    { title: "Comment", of: (each: AnonymizedAnswer["first"]) => each.comment },
  ];
  return rows
    .filter(({ of }) => page.answers.some((each) => of(said(each, phase))))
    .map(({ title, of }) => (
      <tr key={title}>
        <th scope="row">{title}</th>
        {page.answers.map((each) => (
          <td key={each.letter} className="remark" dir="auto">
            {of(said(each, phase))}
          </td>
        ))}
        {page.predictions.map((each) => (
          <td key={`${each.evaluation} ${each.system}`} />
        ))}
        <td />
      </tr>
    ));
}
