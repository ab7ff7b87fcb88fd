import { errorWords, isApiError } from "../api/errors";

interface RefusalProps {
  error: unknown;
  /** Fields of the form that show their own messages; what is said of any other is said here. */
  placed?: (field: string) => boolean;
}

/** What the server answered instead of doing what was asked. */
export function Refusal({ error, placed }: RefusalProps) {
  if (!error) return null;
  const fields = isApiError(error) ? Object.entries(error.fields) : [];
  const unplaced = fields.filter(([field]) => !placed?.(field));
  return (
    <div className="notice bad" role="alert">
      <p>{errorWords(error)}</p>
      {unplaced.map(([field, messages]) => (
        <p key={field}>
          {field === "non_field_errors" ? "" : `${field}: `}
          {messages.join(" ")}
        </p>
      ))}
    </div>
  );
}

/** Part of a page that could not be loaded. */
export function NotLoaded({ what, error, retry }: { what: string; error: unknown; retry: () => void }) {
  return (
    <div className="notice bad stack" role="alert">
      <p>
        {what} could not be loaded. {errorWords(error)}
      </p>
      <p>
        <button type="button" className="button" onClick={() => retry()}>
          Try again
        </button>
      </p>
    </div>
  );
}
