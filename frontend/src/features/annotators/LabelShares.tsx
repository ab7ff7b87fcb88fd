import type { Annotator, AnnotatorsPage } from "../../api/annotators";
import { type Column, DataTable } from "../../components/DataTable";
import { boundedPercent, count } from "../../text/format";

interface LabelSharesProps {
  page: AnnotatorsPage;
  stage: AnnotatorsPage["stages"][number];
}

/** Each person's share of each label, and the others' on the same items. */
export function LabelShares({ page, stage }: LabelSharesProps) {
  const at = (annotator: Annotator) => annotator.labels.find((each) => each.stage === stage.key);
  const rows = page.annotators.filter((each) => at(each));
  if (rows.length === 0) return null;
  const names = new Map(rows.flatMap((row) => at(row)?.labels ?? []).map(({ label, name }) => [label, name]));
  const cell = (label: string) => (annotator: Annotator) => {
    const found = at(annotator)?.labels.find((each) => each.label === label);
    if (!found) return "–";
    return (
      <>
        {boundedPercent(found.own)}
        <span className="basis">others {boundedPercent(found.others)}</span>
        {found.much_more && <span className="tag warn">much more</span>}
      </>
    );
  };
  return (
    <section className="card stack" aria-labelledby="labels">
      <div className="card-head">
        <h2 id="labels">Labels at {stage.title}</h2>
      </div>
      <p className="small mute">
        The share of each label in a person’s answers, and below it in the others’ answers to the same items.
        “Much more” is said of {page.few_items} items or more, where the difference is large and hardly
        chance.
      </p>
      <DataTable
        title={`Labels at ${stage.title}`}
        className="annotators"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          ["Annotator", ({ display_name }) => display_name],
          [
            "Items",
            (annotator) => {
              const n = at(annotator)?.n ?? 0;
              return (
                <>
                  {count(n)} {n < page.few_items && <span className="tag warn">few items</span>}
                </>
              );
            },
            "number",
          ],
          ...[...names].map(([label, name]): Column<Annotator> => [name, cell(label), "number"]),
        ]}
      />
    </section>
  );
}
