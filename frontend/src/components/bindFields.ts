import type { FieldErrors } from "../api/errors";

type TextKey<Values> = { [Key in keyof Values]-?: Values[Key] extends string ? Key : never }[keyof Values] &
  string;

/**
 * Binds text inputs to a form's values: `field("querySize", "query_size")` gives what a `Field` needs. The second name is
 * the server's, under which errors come; left out, it is the same.
 */
export function bindFields<Values extends object>(
  values: Values,
  errors: FieldErrors,
  change: (part: Partial<Values>) => void,
) {
  return (name: TextKey<Values>, error: string = name) => ({
    value: values[name] as string,
    errors: errors[error],
    onValue: (value: string) => change({ [name]: value } as Partial<Values>),
  });
}
