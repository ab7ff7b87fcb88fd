import { useState } from "react";
import type { FieldErrors } from "../../api/errors";
import { useRefresh } from "../../api/useRefresh";
import { ConfirmButton } from "../../components/ConfirmButton";
import { FilePicker } from "../../components/FilePicker";
import { useProject } from "../../session/project";
import { factoidsApi, setsQuery } from "./api";
import { FILES_HINT, TEXT_FILES } from "./ImportSet";
import type { TextSet } from "./types";

/** More texts while no phase was opened; a system's texts later. */
export function AddTexts({ set }: { set: TextSet }) {
  const { id: projectId } = useProject();
  const [files, setFiles] = useState<File[]>([]);
  const refresh = useRefresh();
  const isSystem = set.phases.length > 0;
  const add = async () => {
    await factoidsApi.addTexts(set.id, { files, format: "auto" }, isSystem);
    setFiles([]);
    await refresh(setsQuery(projectId).queryKey);
  };
  return (
    <ConfirmButton
      button={isSystem ? "Add a system’s text" : "Add texts"}
      label={isSystem ? `Add a system’s text to ${set.name}` : `Add texts to ${set.name}`}
      title={isSystem ? "Add a system’s text" : "Add texts"}
      act="Add"
      blocked={files.length === 0}
      onConfirm={add}
    >
      {(errors) => (
        <>
          <p>
            {isSystem
              ? "It is marked with the consensus list in the next annotation phase. It is scored, and never changes weights."
              : "Once a phase is opened, only texts of systems can be added."}
          </p>
          <FilePicker
            files={files}
            accept={TEXT_FILES}
            hint={FILES_HINT}
            errors={listedErrors(errors)}
            onFiles={setFiles}
          />
        </>
      )}
    </ConfirmButton>
  );
}

export function listedErrors(errors: FieldErrors): string[] | undefined {
  const lines = Object.values(errors).flat();
  return lines.length > 0 ? lines : undefined;
}
