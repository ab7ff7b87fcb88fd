import { Link } from "react-router";
import { useRefresh } from "../../api/useRefresh";
import { useAnnounce } from "../../components/Announcer";
import { ConfirmButton } from "../../components/ConfirmButton";
import { type Column, DataTable } from "../../components/DataTable";
import { TableCard } from "../../components/TableCard";
import { useProject, useZone } from "../../session/project";
import { count, moment } from "../../text/format";
import { equivalenceApi, overviewQuery } from "./api";
import { CategoryName } from "./CategoryName";
import { PART_WORDS, sizeWords } from "./copy";
import { evaluationPath } from "./paths";
import type { Overview, Summary } from "./types";

export function Evaluations({ overview }: { overview: Overview }) {
  const { id: projectId } = useProject();
  const zone = useZone();
  const { evaluations, can_manage } = overview;
  if (evaluations.length === 0)
    return (
      <section className="card stack" aria-labelledby="none">
        <h2 id="none">No evaluations yet</h2>
        <p>
          An evaluation takes the spans of one category, such as every motive. You put the strings that are
          found into classes: those of one class mean the same, those of two classes do not.
        </p>
        <p className="mute">Two classes are needed before an evaluation can test a model.</p>
      </section>
    );
  const columns: Column<Summary>[] = [
    [
      "Evaluation",
      (row) => (
        <>
          <Link to={evaluationPath(projectId, row.id)}>{row.name}</Link>
          {row.in_depth && <span className="basis">in depth</span>}
        </>
      ),
    ],
    ["Category", (row) => <CategoryName of={row.category} overview={overview} />],
    ["Part", (row) => PART_WORDS[row.part]],
    ["Classes", (row) => count(row.n_classes), "number"],
    ["Strings", (row) => count(row.n_members), "number"],
    [
      "Not found",
      (row) => (row.n_unused > 0 ? <span className="tag warn">{count(row.n_unused)}</span> : "0"),
      "number",
    ],
    ["Review", (row) => <Reviewed of={row} />],
    [
      "Changed",
      (row) => (
        <>
          {moment(row.updated_at, zone)}
          <span className="basis">{row.updated_by}</span>
        </>
      ),
      "small",
    ],
    ...(can_manage ? [["Remove", (row) => <Remove of={row} />] as Column<Summary>] : []),
  ];
  return (
    <TableCard title="Evaluations">
      <DataTable
        className="listed evaluations folds"
        rows={evaluations}
        keyOf={({ id }) => id}
        columns={columns}
      />
    </TableCard>
  );
}

function Reviewed({ of: { n_validated, n_returned, n_classes } }: { of: Summary }) {
  const left = n_classes - n_validated - n_returned;
  return (
    <span className="row tight">
      {n_validated > 0 && <span className="tag ok">{count(n_validated)} validated</span>}
      {n_returned > 0 && <span className="tag bad">{count(n_returned)} returned</span>}
      {left > 0 && <span className="tag">{count(left)} open</span>}
    </span>
  );
}

function Remove({ of }: { of: Summary }) {
  const { id: projectId } = useProject();
  const refresh = useRefresh();
  const announce = useAnnounce();
  const remove = async () => {
    await equivalenceApi.remove(projectId, of.id);
    announce(`${of.name} is removed.`);
    await refresh(overviewQuery(projectId).queryKey);
  };
  return (
    <ConfirmButton
      button="Remove"
      label={`Remove ${of.name}`}
      className="button quiet"
      title={`Remove ${of.name}?`}
      act="Remove the evaluation"
      danger
      onConfirm={remove}
    >
      <p>
        It leaves this list, the export and the instances, with {sizeWords(of)}. It is kept, and can be put
        back from below the list.
      </p>
    </ConfirmButton>
  );
}

export function Removed({ overview }: { overview: Overview }) {
  const { id: projectId } = useProject();
  const refresh = useRefresh();
  const announce = useAnnounce();
  return (
    <section className="card stack" aria-labelledby="removed">
      <h2 id="removed">Removed</h2>
      <ul className="removed-list">
        {overview.removed.map((each) => (
          <li key={each.id} className="row">
            <span>
              <b>{each.name}</b> <CategoryName of={each.category} overview={overview} />{" "}
              <span className="small mute">{sizeWords(each)}</span>
            </span>
            {overview.can_manage && (
              <ConfirmButton
                button="Put back"
                label={`Put ${each.name} back`}
                className="button quiet"
                title={`Put ${each.name} back?`}
                act="Put it back"
                onConfirm={async () => {
                  await equivalenceApi.putBack(projectId, each.id);
                  announce(`${each.name} is back.`);
                  await refresh(overviewQuery(projectId).queryKey);
                }}
              >
                <p>It stands in the list again, as it was when it was removed.</p>
              </ConfirmButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
