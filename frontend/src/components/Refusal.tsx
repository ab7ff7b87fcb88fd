import { errorWords, isApiError } from "../api/errors";

interface RefusalProps {
  error: unknown;
  /** Fields of the form that show their own messages; what is said of any other is said here, under its name. */
  placed?: (field: string) => boolean;
}

/** What the server answered instead of doing what was asked. */
export function Refusal({ error, placed }: RefusalProps) {
  if (!error) return null;
  const fields = isApiError(error) ? Object.entries(error.fields) : [];
  const lines = placed
    ? [errorWords(error), ...fields.filter(([field]) => !placed(field)).map(named)]
    : fields.map(([, messages]) => messages.join(" "));
  return (
    <div className="notice bad" role="alert">
      {(lines.length > 0 ? lines : [errorWords(error)]).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}

function named([field, messages]: [string, string[]]): string {
  return `${field === "non_field_errors" ? "" : `${field}: `}${messages.join(" ")}`;
}
