import { Labelled } from "../../../components/Labelled";

interface PredictionsFileProps {
  file: File | null;
  errors: string[] | undefined;
  onFile: (file: File | null) => void;
}

/** Predictions that were made elsewhere. Each model that the file names becomes a system. */
export function PredictionsFile({ file, errors, onFile }: PredictionsFileProps) {
  return (
    <details className="more" open={file !== null || errors !== undefined}>
      <summary>Take in predictions that were made elsewhere</summary>
      <Labelled
        label="Predictions (JSONL)"
        hint={
          <>
            One line each: <code>{'{"id": …, "stage": …, "label": …, "confidence": …, "model": …}'}</code>.
            The confidence may be left out. Each model becomes a system.
          </>
        }
        errors={errors}
      >
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".jsonl,.ndjson,.json"
            onChange={(event) => onFile(event.currentTarget.files?.[0] ?? null)}
          />
        )}
      </Labelled>
    </details>
  );
}
