import { type CodebookChange, type CodebookVersion, codebookApi, codebooksQuery } from "../../api/codebooks";
import { useRefresh } from "../../api/useRefresh";
import { ConfirmButton } from "../../components/ConfirmButton";
import { KeyNotice } from "./KeyNotice";

interface PublishProps {
  draft: CodebookVersion;
  current: CodebookVersion | undefined;
  projectId: string;
}

/** Says what changes before it does. */
export function Publish({ draft, current, projectId }: PublishProps) {
  const refresh = useRefresh();
  const publish = () =>
    codebookApi
      .publish(draft.id)
      .finally(() => refresh(codebooksQuery(projectId).queryKey, ["project", projectId]));
  return (
    <ConfirmButton
      button={<>Publish version {draft.version}</>}
      className="button primary"
      title={`Publish version ${draft.version}?`}
      act={`Publish version ${draft.version}`}
      onConfirm={publish}
    >
      <p>
        Batches that open from now on take it; open batches keep the version they began with. A published
        version never changes.
      </p>
      <KeyNotice definition={draft.definition} />
      {current && draft.changes && <Changes current={current} changes={draft.changes} />}
    </ConfirmButton>
  );
}

function Changes({ current, changes }: { current: CodebookVersion; changes: CodebookChange[] }) {
  const breaking = changes.filter((change) => change.is_breaking);
  const others = changes.filter((change) => !change.is_breaking);
  if (changes.length === 0) return <p>Nothing differs from version {current.version}.</p>;
  return (
    <>
      {breaking.length > 0 && (
        <div className="notice warn stack">
          <p>
            <b>Breaking.</b> Answers given under version {current.version} or earlier are kept and exported,
            but leave training:
          </p>
          <ChangeList changes={breaking} />
        </div>
      )}
      {others.length > 0 && (
        <div className="stack-tight">
          <p>
            {breaking.length > 0 ? "Changes as well:" : "Compatible: earlier answers keep counting. Changes:"}
          </p>
          <ChangeList changes={others} />
        </div>
      )}
    </>
  );
}

export function ChangeList({ changes }: { changes: CodebookChange[] }) {
  return (
    <ul className="reasons">
      {changes.map(({ path, words }) => (
        <li key={`${path} ${words}`}>
          <code>{path}</code> {words}
        </li>
      ))}
    </ul>
  );
}
