import type { paths } from "./schema";

type Method = "get" | "post" | "patch" | "put" | "delete";
type Json<T> = T extends { content: { "application/json": infer Body } } ? Body : never;

/** What the server's schema (made by `make types`) says that a path answers. */
export type Answer<
  Path extends keyof paths,
  M extends Method,
  Status extends number = 200,
> = paths[Path][M] extends {
  responses: infer Responses;
}
  ? Status extends keyof Responses
    ? Json<Responses[Status]>
    : never
  : never;

/** What it says that a path takes. */
export type Body<Path extends keyof paths, M extends Method> = paths[Path][M] extends {
  requestBody?: infer Request;
}
  ? Json<Request>
  : never;
