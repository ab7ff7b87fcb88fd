import type { CodebookDefinition } from "../../../api/types";

/** What the server said against the value at a path, such as `stages[1].labels[0].key`. */
export type ErrorsAt = (path: string) => string[] | undefined;

export interface FormProps {
  definition: CodebookDefinition;
  errorsAt: ErrorsAt;
  onChange: (definition: CodebookDefinition) => void;
}
