import "fake-indexeddb/auto";
import { screen, waitFor, within } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { LISTING, TIE } from "../../test/adjudication";
import { column, open, Server } from "../../test/adjudicationPage";
import { axeFindings } from "../../test/renderApp";

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  localStorage.clear();
});

describe("second looks", () => {
  it("stand beside the independent answers where these are adjudicated, which count", async () => {
    const server = new Server();
    const [a, b, c] = TIE.answers;
    if (!a || !b || !c) throw new Error("TIE has three answers");
    const second = { answers: { opinion: "no" }, comment: "", skip_reason: null };
    server.cases.i1 = { ...TIE, answers: [a, { ...b, second }, c] };
    open("/i1", "adjudicator", server);
    await screen.findByTestId("sentence");
    expect(column("B")).toEqual(["Yessecond look: No", "Nosecond look: not asked", "She means the vote."]);
    expect(column("Together")).toEqual(["tie", "not applicable", ""]);
  });

  it("are opened by an admin who was told of the exception to blindness", async () => {
    const { user, server, asked } = open("", "admin");
    await user.click(await screen.findByRole("button", { name: "Open a second look" }));
    const dialog = screen.getByRole("dialog");
    expect(dialog).toHaveTextContent(/One exception to blindness: where two people answered/);
    expect(await axeFindings()).toEqual([]);
    await user.click(within(dialog).getByRole("button", { name: "Freeze and open it" }));
    expect(await screen.findByText(/Second look at 2 items: 1 of 4 done/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Close it" }));
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Close it" }));
    expect(await screen.findByText(/1 of 4 done, closed/)).toBeVisible();
    expect(asked.filter(({ method }) => method === "POST").map(({ path }) => path)).toEqual([
      "/api/rounds/r1/second-look/",
      "/api/rounds/r1/second-look/close/",
    ]);
    expect(server.looks[0]?.second_look?.closed).toBe(true);
  });

  it("are followed by a consensus, which an admin records", async () => {
    const server = new Server();
    server.listing = { ...LISTING, second_looks: [1] };
    const [a, b, c] = TIE.answers;
    if (!a || !b || !c) throw new Error("TIE has three answers");
    const second = { answers: { opinion: "yes", mp: "yes" }, comment: "", skip_reason: null };
    server.cases.i1 = { ...TIE, answers: [{ ...a, second }, b, c] };
    const { user, router } = open("", "admin", server);
    await user.click(await screen.findByRole("button", { name: /Record a consensus/ }));
    await waitFor(() => expect(router.state.location.search).toBe("?phase=2"));
    await user.click(await screen.findByRole("link", { name: "I would go along with it." }));
    await screen.findByTestId("sentence");
    expect(column("A")).toEqual(["Yesfirst: No", "Yesfirst: not asked", ""]);
    await user.keyboard("q{Enter}");
    await user.keyboard("Agreed.{Enter}");
    await waitFor(() => expect(server.posted.at(-1)?.source).toBe("consensus"));
    expect(server.posted.at(-1)?.labels).toEqual({ opinion: "yes" });
  });
});
