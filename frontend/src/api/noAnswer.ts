import { ApiError } from "./errors";

/** Why no answer came: a file that was written to since it was chosen is not sent, and looks like a server that is away. */
export async function noAnswer(sent: unknown): Promise<ApiError> {
  const files = sent instanceof FormData ? [...sent.values()].filter((value) => value instanceof File) : [];
  for (const file of files) {
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch {
      const detail = `${file.name} was changed or moved since it was chosen. Choose it again.`;
      return new ApiError(400, { detail });
    }
  }
  return new ApiError(0, null);
}
