import { queryOptions } from "@tanstack/react-query";
import { get, patch, post, remove } from "../../api/client";
import type { Answer, Body } from "../../api/contract";

export type SignIn = Answer<"/api/me/sessions/", "get">[number];

export const accountApi = {
  setProfile: (profile: Body<"/api/me/", "patch">) => patch("/api/me/", { body: profile }),
  setPassword: (current: string, password: string) =>
    post("/api/me/password/", { body: { current, password } }),
  askAddress: (body: Body<"/api/me/address/", "post">) => post("/api/me/address/", { body }),
  removeAddress: (current: string) => post("/api/me/address/remove/", { body: { current } }),
  end: (id: string) => remove("/api/me/sessions/{session_id}/", { params: { path: { session_id: id } } }),
  makeToken: (body: Body<"/api/me/tokens/", "post">) => post("/api/me/tokens/", { body }),
  revokeToken: (id: string) => remove("/api/me/tokens/{token_id}/", { params: { path: { token_id: id } } }),
  link: (current: string) => post("/api/me/openid/", { body: { current } }),
  unlink: (current: string) => post("/api/me/openid/unlink/", { body: { current } }),
  endOthers: () => remove("/api/me/sessions/"),
};

export const signInsQuery = queryOptions({
  queryKey: ["me", "sessions"],
  queryFn: ({ signal }) => get("/api/me/sessions/", { signal }),
  gcTime: 0,
});

export const providerQuery = queryOptions({
  queryKey: ["me", "openid"],
  queryFn: ({ signal }) => get("/api/me/openid/", { signal }),
  gcTime: 0,
});

export const tokensQuery = queryOptions({
  queryKey: ["me", "tokens"],
  queryFn: ({ signal }) => get("/api/me/tokens/", { signal }),
  gcTime: 0,
});
