import { useState } from "react";
import { useRefresh } from "../../api/useRefresh";
import { ConfirmButton } from "../../components/ConfirmButton";
import { FilePicker } from "../../components/FilePicker";
import { Select } from "../../components/Select";
import { useProject } from "../../session/project";
import { listedErrors } from "./AddTexts";
import { factoidsApi, setsQuery } from "./api";
import type { Phase, TextSet } from "./types";

/** Somebody's list from a file, into their empty list of an open phase. */
export function ImportList({ phase, set }: { phase: Phase; set: TextSet }) {
  const { id: projectId } = useProject();
  const refresh = useRefresh();
  const [file, setFile] = useState<File | null>(null);
  const [chosen, choose] = useState("");
  const empty = phase.people.filter(({ last_at }) => last_at === null);
  const member = chosen || empty[0]?.member || "";
  const send = async () => {
    if (!file) return;
    await factoidsApi.importList(set.id, file, phase.id, member);
    setFile(null);
    choose("");
    await refresh(setsQuery(projectId).queryKey);
  };
  if (empty.length === 0) return null;
  return (
    <ConfirmButton
      button="Import a list"
      label={`Import a list into phase ${phase.number}`}
      title={`Import a list into phase ${phase.number}`}
      act="Import the list"
      blocked={!file}
      onConfirm={send}
    >
      {(errors) => (
        <>
          <p>It becomes the list of a person who has saved nothing yet. They can go on with it.</p>
          <Select
            label="Whose list it is"
            value={member}
            options={empty.map(({ member: value, name: text }) => ({ value: value ?? "", text: text ?? "" }))}
            onValue={choose}
          />
          <FilePicker
            isOne
            files={file ? [file] : []}
            accept=".json,.jsonl"
            hint={
              <>
                A JSON object with <code>texts</code> and <code>factoids</code>, as the factoids command takes
                it, or the factoids.jsonl of an export.
              </>
            }
            errors={listedErrors(errors)}
            onFiles={([first = null]) => setFile(first)}
          />
        </>
      )}
    </ConfirmButton>
  );
}
