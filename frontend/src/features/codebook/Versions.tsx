import type { CodebookVersion } from "../../api/codebooks";
import type { Project } from "../../api/types";
import { ColumnHeads } from "../../components/ColumnHeads";
import { TableCard } from "../../components/TableCard";
import { counted, moment } from "../../text/format";

interface VersionsProps {
  versions: CodebookVersion[];
  current: CodebookVersion | undefined;
  shown: CodebookVersion;
  project: Project;
  onShow: (version: CodebookVersion) => void;
}

export function Versions({ versions, current, shown, project, onShow }: VersionsProps) {
  return (
    <TableCard title="Versions">
      <table className="table">
        <ColumnHeads
          of={["Version", "State", "Against the one before", "Saved", "Published", "Holds", "Read"]}
        />
        <tbody>
          {versions.map((version) => (
            <tr key={version.id}>
              <th scope="row">{version.version}</th>
              <td>{version.id === current?.id ? <b>in use for new batches</b> : version.state}</td>
              <td>{compatibleWords(version)}</td>
              <td className="nowrap">{moment(version.created_at, project.time_zone)}</td>
              <td className="nowrap">
                {version.published_at ? moment(version.published_at, project.time_zone) : "–"}
              </td>
              <td className="nowrap">{holdsWords(version.definition)}</td>
              <td>
                <button
                  type="button"
                  className="button quiet"
                  aria-label={`Show version ${version.version}`}
                  aria-pressed={version.id === shown.id}
                  onClick={() => onShow(version)}
                >
                  Show
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableCard>
  );
}

function holdsWords({ stages, span_layer }: CodebookVersion["definition"]): string {
  const parts = [
    stages.length > 0 && counted(stages.length, "stage"),
    span_layer && counted(span_layer.categories.length, "span category", "span categories"),
  ];
  return parts.filter(Boolean).join(", ");
}

function compatibleWords(version: CodebookVersion): string {
  if (version.state === "draft") return "–";
  if (version.compatible === null) return "the first one";
  return version.compatible
    ? "compatible: earlier answers keep counting"
    : "breaking: earlier answers left training";
}
