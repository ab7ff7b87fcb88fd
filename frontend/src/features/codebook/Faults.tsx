import { errorWords, isApiError } from "../../api/errors";
import { counted } from "../../text/format";
import { locate } from "./locate";

export interface Fault {
  path: string;
  messages: string[];
}

/** What the server said against places of the definition. */
export function faultsOf(error: unknown): Fault[] {
  if (!isApiError(error)) return [];
  return Object.entries(error.fields).map(([path, messages]) => ({
    path: path.replace(/^definition\.?/, ""),
    messages,
  }));
}

interface FaultsProps {
  faults: Fault[];
  error: unknown;
  text: string;
  onGo: (path: string) => void;
}

/** The places to fix, each a way to it in the JSON. */
export function Faults({ faults, error, text, onGo }: FaultsProps) {
  if (faults.length === 0) return <p className="notice bad">{errorWords(error)}</p>;
  return (
    <div className="notice bad stack">
      <p>Not saved: {counted(faults.length, "place")} to fix.</p>
      <ul className="reasons">
        {faults.map(({ path, messages }) => (
          <li key={path}>
            {path === "" ? (
              <b>the whole</b>
            ) : (
              <button type="button" className="link" onClick={() => onGo(path)}>
                <code>{path}</code> (line {locate(text, path)?.line ?? "?"})
              </button>
            )}{" "}
            {messages.join("; ")}
          </li>
        ))}
      </ul>
    </div>
  );
}
