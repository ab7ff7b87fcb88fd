import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type CodebookChange, type CodebookVersion, changesQuery } from "../../api/codebooks";
import { Select } from "../../components/Select";
import { Loading, NotLoaded } from "../../components/states";
import { textAt } from "./textAt";

interface CompareProps {
  projectId: string;
  /** The newest first. Those that break a rule that came after them cannot be compared. */
  versions: readonly CodebookVersion[];
  current: CodebookVersion | undefined;
}

/** What differs between any two versions, with the words of texts that were changed. */
export function Compare({ projectId, versions: all, current }: CompareProps) {
  const versions = all.filter(({ faults }) => faults.length === 0);
  const [newest, second] = versions;
  const [chosen, setChosen] = useState<{ old?: string; new?: string }>({});
  if (!newest || !second) return null;
  const begun = current && current.id !== newest.id && versions.includes(current) ? current : second;
  const find = (id: string | undefined, otherwise: CodebookVersion) =>
    versions.find((version) => version.id === id) ?? otherwise;
  const [from, to] = [find(chosen.old, begun), find(chosen.new, newest)];
  const options = versions.map(({ id, version, state }) => ({ value: id, text: `${version} (${state})` }));
  return (
    <section className="card stack" aria-labelledby="compare">
      <h2 id="compare">Compare two versions</h2>
      <div className="form-grid">
        <Select
          label="From version"
          value={from.id}
          options={options}
          onValue={(id) => setChosen({ ...chosen, old: id })}
        />
        <Select
          label="To version"
          value={to.id}
          options={options}
          onValue={(id) => setChosen({ ...chosen, new: id })}
        />
      </div>
      <Differences projectId={projectId} from={from} to={to} />
    </section>
  );
}

interface DifferencesProps {
  projectId: string;
  from: CodebookVersion;
  to: CodebookVersion;
}

function Differences({ projectId, from, to }: DifferencesProps) {
  const { data, error, refetch } = useQuery(changesQuery(projectId, from.version, to.version));
  if (error) return <NotLoaded what="The comparison" error={error} retry={refetch} />;
  if (!data) return <Loading what="the comparison" />;
  const breaking = data.filter(({ is_breaking }) => is_breaking);
  const others = data.filter(({ is_breaking }) => !is_breaking);
  const shown = { from, to };
  return (
    <div className="stack" role="status">
      {data.length === 0 && <p>Nothing differs.</p>}
      {breaking.length > 0 && (
        <div className="notice warn stack-tight">
          <p>
            <b>Breaking.</b> Answers given under version {from.version} would leave training under version{" "}
            {to.version}:
          </p>
          <Listed changes={breaking} {...shown} />
        </div>
      )}
      {others.length > 0 && (
        <div className="stack-tight">
          <p>
            {breaking.length > 0 ? "Changes as well:" : "Compatible: earlier answers keep counting. Changes:"}
          </p>
          <Listed changes={others} {...shown} />
        </div>
      )}
    </div>
  );
}

function Listed({
  changes,
  from,
  to,
}: { changes: readonly CodebookChange[] } & Omit<DifferencesProps, "projectId">) {
  return (
    <ul className="reasons">
      {changes.map(({ path, words }) => {
        const [before, after] = [textAt(from.definition, path), textAt(to.definition, path)];
        return (
          <li key={`${path} ${words}`}>
            <code>{path}</code> {words}
            {before !== null && after !== null && (
              <dl className="text-change">
                <dt>Before</dt>
                <dd>{before || <i>nothing</i>}</dd>
                <dt>After</dt>
                <dd>{after || <i>nothing</i>}</dd>
              </dl>
            )}
          </li>
        );
      })}
    </ul>
  );
}
