import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { answerName } from "../../annotate/copy";
import { isApiError } from "../../api/errors";
import {
  type PracticeDetail,
  type PracticeItem,
  practiceApi,
  practiceQuery,
  practicesQuery,
} from "../../api/practice";
import type { Project } from "../../api/types";
import { useRefresh } from "../../api/useRefresh";
import { ConfirmButton } from "../../components/ConfirmButton";
import { DataTable } from "../../components/DataTable";
import { NotFoundPage } from "../../components/NotFoundPage";
import { Failure, Loading } from "../../components/states";
import { counted } from "../../text/format";
import { AddItems } from "./AddItems";
import { marksWords, stateWords } from "./copy";
import { KeyEditor } from "./KeyEditor";

interface PracticePageProps {
  project: Project;
  practiceId: string;
}

/** One practice: its items with their key, to be written until it is opened. */
export function PracticePage({ project, practiceId }: PracticePageProps) {
  const { data, error, refetch } = useQuery(practiceQuery(practiceId));
  if (isApiError(error, 404)) return <NotFoundPage />;
  if (error && !data) return <Failure error={error} retry={refetch} />;
  if (!data) return <Loading what="the practice" />;
  return <Page project={project} detail={data} />;
}

function Page({ project, detail }: { project: Project; detail: PracticeDetail }) {
  const { practice, items } = detail;
  const show = useShow(project.id, practice.id);
  const [chosen, choose] = useState<string | null>(null);
  const isDraft = practice.opened_at === null;
  const editing = isDraft ? items.find(({ item }) => item.id === chosen) : undefined;
  const nextWithout = (after: PracticeItem) =>
    items.find(({ item, answers }) => answers === null && item.id !== after.item.id)?.item.id ?? null;
  return (
    <main className="page" id="main">
      <div className="page-head">
        <p className="small">
          <Link to={`/projects/${project.id}/practice`}>All practices</Link>
        </p>
        <h1>{practice.title}</h1>
        <p className="mute">
          {marksWords(practice)}; {stateWords(practice)}.
        </p>
      </div>
      {isDraft && <AddItems project={project} practiceId={practice.id} onAdded={show} />}
      {items.length > 0 && <Items detail={detail} chosen={chosen} onChoose={choose} onShow={show} />}
      {editing && (
        <KeyEditor
          key={editing.item.id}
          detail={detail}
          row={editing}
          onStored={(stored) => {
            show(stored);
            choose(nextWithout(editing));
          }}
          onClose={() => choose(null)}
        />
      )}
      {isDraft && items.length > 0 && !editing && (
        <div className="row">
          <ConfirmButton
            button="Open the practice"
            className="button primary"
            title={`Open the practice ${practice.title}?`}
            act="Open the practice"
            onConfirm={async () => show(await practiceApi.open(practice.id))}
          >
            <p>
              Everybody who may annotate finds it on the page Label. Its {counted(items.length, "item")}, the
              key, the pass mark and the attempts cannot be changed after that.
            </p>
          </ConfirmButton>
        </div>
      )}
    </main>
  );
}

function useShow(projectId: string, practiceId: string) {
  const client = useQueryClient();
  const refresh = useRefresh();
  return (detail: PracticeDetail) => {
    client.setQueryData(practiceQuery(practiceId).queryKey, detail);
    void refresh(practicesQuery(projectId).queryKey, ["project", projectId]);
  };
}

interface ItemsProps {
  detail: PracticeDetail;
  chosen: string | null;
  onChoose: (id: string) => void;
  onShow: (detail: PracticeDetail) => void;
}

function Items({ detail, chosen, onChoose, onShow }: ItemsProps) {
  const { practice, items, codebook } = detail;
  const isDraft = practice.opened_at === null;
  const words = ({ answers }: PracticeItem) =>
    answers === null ? (
      <span className="tag warn">no key yet</span>
    ) : (
      codebook.definition.stages
        .filter(({ key }) => key in answers)
        .map((stage) => `${stage.title}: ${answerName(stage, answers[stage.key])}`)
        .join("; ")
    );
  return (
    <section className="card stack" aria-labelledby="items">
      <h2 id="items">Items and key</h2>
      <DataTable
        title="Items and key"
        rows={items}
        keyOf={({ item }) => item.id}
        classOf={({ item }) => (item.id === chosen ? "chosen" : undefined)}
        columns={[
          [
            "Text",
            ({ item }) => (
              <span className="beginning" dir="auto">
                {item.text}
              </span>
            ),
          ],
          ["Key", words],
          ["Explanation", ({ explanation }) => explanation],
          ...(isDraft
            ? [
                [
                  "Change",
                  ({ item, answers }: PracticeItem) => (
                    <div className="row">
                      <button
                        type="button"
                        className="button"
                        aria-label={`${answers ? "Change" : "Write"} the key of ${item.external_id}`}
                        onClick={() => onChoose(item.id)}
                      >
                        {answers ? "Change" : "Write"}
                      </button>
                      <ConfirmButton
                        button="Remove"
                        label={`Remove ${item.external_id}`}
                        className="button quiet"
                        title="Remove this item?"
                        act="Remove the item"
                        danger
                        onConfirm={async () => onShow(await practiceApi.removeItem(practice.id, item.id))}
                      >
                        <p>Its key is lost. The item returns to where it came from.</p>
                      </ConfirmButton>
                    </div>
                  ),
                ] as const,
              ]
            : []),
        ]}
      />
    </section>
  );
}
