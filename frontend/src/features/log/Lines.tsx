import { DataTable } from "../../components/DataTable";
import { useZone } from "../../session/project";
import { moment } from "../../text/format";
import type { LogLine } from "./api";

/** The sentences come from the server. */
export function Lines({ lines }: { lines: LogLine[] }) {
  const timeZone = useZone();
  return (
    <DataTable
      className="log folds"
      isHeadless
      rows={lines}
      keyOf={({ id }) => id}
      columns={[
        ["When", ({ at }) => <time dateTime={at}>{moment(at, timeZone)}</time>, "when nowrap"],
        ["Who", ({ who, person }) => (person ? who : <span className="mute">{who}</span>), "who"],
        ["What", ({ sentence }) => sentence, "what"],
      ]}
    />
  );
}
