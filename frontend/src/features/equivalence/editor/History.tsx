import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmButton } from "../../../components/ConfirmButton";
import { DataTable } from "../../../components/DataTable";
import { Pages } from "../../../components/Pages";
import { NotLoaded, Status } from "../../../components/states";
import { TableCard } from "../../../components/TableCard";
import { useZone } from "../../../session/project";
import { moment } from "../../../text/format";
import { revisionsQuery } from "../api";
import type { Editor } from "./useEditor";

/** All revisions, the newest first. */
export function History({ editor }: { editor: Editor }) {
  const { projectId, evaluation, saving, mayEdit } = editor;
  const zone = useZone();
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(
    revisionsQuery(projectId, evaluation.id, evaluation.revision, page),
  );
  if (!data)
    return error ? (
      <NotLoaded what="The history" error={error} retry={refetch} />
    ) : (
      <Status>Loading the history</Status>
    );
  return (
    <div className="history">
      <TableCard title="History">
        <DataTable
          rows={data.revisions}
          keyOf={({ number }) => number}
          columns={[
            ["Revision", ({ number }) => number, "number"],
            ["What", ({ action }) => action || "–"],
            ["Who", ({ by }) => by],
            ["When", ({ at }) => moment(at, zone), "small nowrap"],
            [
              "Restore",
              ({ number, action }) =>
                mayEdit && number !== evaluation.revision ? (
                  <ConfirmButton
                    button="Restore"
                    label={`Restore revision ${number}`}
                    className="button quiet"
                    title={`Restore revision ${number}?`}
                    act="Restore it"
                    onConfirm={() => saving.restore(number)}
                  >
                    <p>
                      All classes become as they were after “{action || "the beginning"}”. This is a new
                      revision: nothing is lost, and one undo takes it back.
                    </p>
                  </ConfirmButton>
                ) : (
                  number === evaluation.revision && <span className="tag ok">now</span>
                ),
            ],
          ]}
        />
      </TableCard>
      <Pages page={page} n_pages={data.n_pages} onPage={setPage} />
    </div>
  );
}
