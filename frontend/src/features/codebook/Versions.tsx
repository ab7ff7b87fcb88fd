import type { CodebookVersion } from "../../api/codebooks";
import { DataTable } from "../../components/DataTable";
import { TableCard } from "../../components/TableCard";
import { useZone } from "../../session/project";
import { counted, moment } from "../../text/format";

interface VersionsProps {
  versions: CodebookVersion[];
  current: CodebookVersion | undefined;
  shown: CodebookVersion;
  onShow: (version: CodebookVersion) => void;
}

export function Versions({ versions, current, shown, onShow }: VersionsProps) {
  const zone = useZone();
  return (
    <TableCard title="Versions">
      <DataTable
        rows={versions}
        keyOf={({ id }) => id}
        columns={[
          ["Version", ({ version }) => version],
          ["State", ({ id, state }) => (id === current?.id ? <b>in use for new batches</b> : state)],
          ["Against the one before", compatibleWords],
          ["Saved", ({ created_at }) => moment(created_at, zone), "nowrap"],
          ["Published", ({ published_at }) => (published_at ? moment(published_at, zone) : "–"), "nowrap"],
          ["Holds", ({ definition }) => holdsWords(definition), "nowrap"],
          [
            "Read",
            (version) => (
              <button
                type="button"
                className="button quiet"
                aria-label={`Show version ${version.version}`}
                aria-pressed={version.id === shown.id}
                onClick={() => onShow(version)}
              >
                Show
              </button>
            ),
          ],
        ]}
      />
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
