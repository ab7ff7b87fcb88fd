import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../api/contract";
import { request } from "../../api/http";
import type { Me } from "../../api/types";

export type SignIn = Answer<"/api/me/sessions/", "get">[number];

export const accountApi = {
  setName: (display_name: string) => request<Me>("PATCH", "/api/me/", { body: { display_name } }),
  setPassword: (current: string, password: string) =>
    request<Me>("POST", "/api/me/password/", { body: { current, password } }),
  end: (id: string) => request<null>("DELETE", `/api/me/sessions/${id}/`),
  endOthers: () => request<null>("DELETE", "/api/me/sessions/"),
};

export const signInsQuery = queryOptions({
  queryKey: ["me", "sessions"],
  queryFn: ({ signal }) => request<SignIn[]>("GET", "/api/me/sessions/", { signal }),
  gcTime: 0,
});
