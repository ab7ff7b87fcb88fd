/** What was said against each field of a form, by the server's names. */
export type FieldErrors = Record<string, string[]>;

/** The one error of the fetch layer. `status` 0: no answer came (network down, server unreachable). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly fields: FieldErrors;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(wordsFor(status, body));
    this.name = "ApiError";
    this.status = status;
    this.body = body;
    this.code = stringAt(body, "code");
    this.fields = fieldsOf(body);
  }

  get isSignedOut(): boolean {
    return this.status === 401;
  }

  /** The server did not get to the request at all: others would fare no better now. */
  get isUnreachable(): boolean {
    return [0, 429, 502, 503, 504].includes(this.status);
  }

  /** Trying again unchanged may succeed. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

export function isApiError(error: unknown, status?: number): error is ApiError {
  return error instanceof ApiError && (status === undefined || error.status === status);
}

/** What to tell a person about any failure. */
export function errorWords(error: unknown): string {
  if (error instanceof Error) return error.message;
  return String(error);
}

const WORDS: Record<number, string> = {
  0: "The server cannot be reached. Check the connection and try again.",
  401: "You are signed out. Sign in again to go on.",
  403: "Your role in this project does not allow that.",
  404: "There is no such page, or it is not yours to see.",
  429: "Too many tries. Wait a little and try again.",
};

function wordsFor(status: number, body: unknown): string {
  const detail = stringAt(body, "detail");
  if (detail) return detail;
  return (
    WORDS[status] ??
    `The server answered with error ${status}. Try again; if it stays, tell an admin of the project.`
  );
}

function stringAt(body: unknown, key: string): string | null {
  const value = isRecord(body) ? body[key] : undefined;
  return typeof value === "string" ? value : null;
}

function fieldsOf(body: unknown): FieldErrors {
  const errors = isRecord(body) ? body.errors : undefined;
  if (!isRecord(errors)) return {};
  return Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [
      field,
      Array.isArray(messages) ? messages.map(String) : [String(messages)],
    ]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
