import { queryOptions } from "@tanstack/react-query";
import { get, patch, post, remove } from "../../api/client";
import type { Answer } from "../../api/contract";

export type SignIn = Answer<"/api/me/sessions/", "get">[number];

export const accountApi = {
  setName: (display_name: string) => patch("/api/me/", { body: { display_name } }),
  setPassword: (current: string, password: string) =>
    post("/api/me/password/", { body: { current, password } }),
  end: (id: string) => remove("/api/me/sessions/{session_id}/", { params: { path: { session_id: id } } }),
  endOthers: () => remove("/api/me/sessions/"),
};

export const signInsQuery = queryOptions({
  queryKey: ["me", "sessions"],
  queryFn: ({ signal }) => get("/api/me/sessions/", { signal }),
  gcTime: 0,
});
