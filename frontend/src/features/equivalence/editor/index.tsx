import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearchParams } from "react-router";
import { isApiError } from "../../../api/errors";
import { HelpSheet } from "../../../components/HelpSheet";
import { Key } from "../../../components/Key";
import { NotFoundPage } from "../../../components/NotFoundPage";
import { Switch } from "../../../components/Switch";
import { Failure, Loading } from "../../../components/states";
import { useKeyboard } from "../../../keyboard/useKeyboard";
import { useProject } from "../../../session/project";
import { counted } from "../../../text/format";
import { evaluationQuery, overviewQuery } from "../api";
import { CategoryName } from "../CategoryName";
import { PART_WORDS } from "../copy";
import { equivalencePath } from "../paths";
import type { Evaluation, Overview } from "../types";
import { editorActions, KEYS } from "./actions";
import { ClassesPane } from "./ClassesPane";
import { DetailPane } from "./DetailPane";
import { Overlays } from "./Dialogs";
import { History } from "./History";
import { ElsewhereNotice, SaveState } from "./SaveState";
import { StringsPane } from "./StringsPane";
import { type Editor, useEditor } from "./useEditor";
import "../../../annotate/spans/palette.css";
import "../../../components/admin.css";
import "../equivalence.css";
import "./editor.css";

/** The strings of one evaluation on one side, its classes on the other. */
export function Component() {
  const { evaluationId = "" } = useParams();
  const { id: projectId } = useProject();
  const overview = useQuery(overviewQuery(projectId));
  const { data, error, refetch } = useQuery(evaluationQuery(projectId, evaluationId));
  if (isApiError(error, 404)) return <NotFoundPage />;
  if (data && overview.data) return <Page key={data.id} evaluation={data} overview={overview.data} />;
  const failed = (data ? null : error) ?? overview.error;
  if (failed) return <Failure error={failed} retry={() => void (data ? overview.refetch() : refetch())} />;
  return <Loading what="the classes" />;
}

function Page({ evaluation, overview }: { evaluation: Evaluation; overview: Overview }) {
  const isRemoved = evaluation.removed_at !== null;
  const rights = isRemoved ? { ...overview, can_group: false, can_validate: false } : overview;
  const editor = useEditor(evaluation, rights);
  const [address, setAddress] = useSearchParams();
  const isHistory = address.get("view") === "history";
  const actions = editorActions(editor.commands, editor.enabled);
  useKeyboard(isHistory ? [] : actions);
  return (
    <main className="equivalence-editor" id="main">
      <Head
        editor={editor}
        isHistory={isHistory}
        onView={(view) => setAddress(view === "history" ? { view } : {})}
      />
      {isRemoved && (
        <p className="notice warn">
          This evaluation is removed. Put it back on the page of all evaluations to change it.
        </p>
      )}
      <ElsewhereNotice editor={editor} />
      {isHistory ? (
        <History editor={editor} />
      ) : (
        <div className="equivalence-panes">
          <div className="left-pane">
            <StringsPane editor={editor} />
            <DetailPane editor={editor} />
          </div>
          <ClassesPane editor={editor} />
        </div>
      )}
      <Overlays editor={editor} />
      {editor.overlay === "keys" && <HelpSheet actions={actions} onClose={editor.close} />}
    </main>
  );
}

interface HeadProps {
  editor: Editor;
  isHistory: boolean;
  onView: (view: string) => void;
}

function Head({ editor, isHistory, onView }: HeadProps) {
  const { evaluation, overview, projectId, content, all, places, commands, enabled, mayEdit } = editor;
  const grouped = all.filter(({ text }) => places.has(text)).length;
  return (
    <div className="editor-head">
      <div className="editor-title">
        <p className="small">
          <Link to={equivalencePath(projectId)}>Equivalence classes</Link> ·{" "}
          <CategoryName of={evaluation.category} overview={overview} />, {PART_WORDS[content.part]}
        </p>
        <h1>
          {content.name} {content.in_depth && <span className="tag">in depth</span>}
        </h1>
        <p className="small mute numbers" role="status">
          {counted(grouped, "string")} of {all.length} in{" "}
          {counted(content.classes.length, "class", "classes")}
        </p>
      </div>
      <div className="row editor-acts">
        <SaveState editor={editor} />
        {mayEdit && (
          <>
            <button type="button" className="button" disabled={!enabled.mayUndo} onClick={commands.undo}>
              Undo <Key name={KEYS.undo} />
            </button>
            <button type="button" className="button" disabled={!enabled.mayRedo} onClick={commands.redo}>
              Redo <Key name={KEYS.redo} />
            </button>
            <button type="button" className="button" onClick={() => editor.setOverlay("settings")}>
              Settings
            </button>
          </>
        )}
        <Switch
          label="View"
          value={isHistory ? "history" : "classes"}
          options={[
            { value: "classes", text: "Classes" },
            { value: "history", text: "History" },
          ]}
          onValue={onView}
        />
        <button type="button" className="button keys-button" onClick={commands.keys}>
          Keys <Key name={KEYS.keys} />
        </button>
      </div>
    </div>
  );
}
