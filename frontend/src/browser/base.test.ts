import { expect, it } from "vitest";
import { at, BASE, ownName, strayed } from "./base";

it("stands at the root of a host where the page names no path", () => {
  expect([BASE, at("/api/me/"), ownName("csrftoken")]).toEqual(["/", "/api/me/", "csrftoken"]);
});

it("puts the installation's path before addresses, and into names", () => {
  expect(at("/api/me/?a=1", "/lab/quorum/")).toBe("/lab/quorum/api/me/?a=1");
  expect(ownName("csrftoken", "/lab/quorum/")).toBe("csrftoken_lab_quorum");
});

it.each([
  ["/quorum/projects/p1", null],
  ["/quorum/", null],
  ["/quorum", "/quorum/"],
  ["/projects/p1", "/quorum/projects/p1"],
  ["/", "/quorum/"],
  ["/quorumx", "/quorum/quorumx"],
])("leads from %s below the base: %s", (pathname, to) => {
  expect(strayed(pathname, "/quorum/")).toBe(to);
  expect(strayed(pathname, "/")).toBeNull();
});
