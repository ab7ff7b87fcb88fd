import "fake-indexeddb/auto";
import { screen, waitFor } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { open } from "../../test/adjudicationPage";
import { ME } from "../../test/admin";
import { inAnotherTab } from "../../test/keptElsewhere";
import { DecisionDrafts } from "./model/drafts";

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  localStorage.clear();
});

const drafts = () => Object.keys(localStorage).filter((key) => key.includes(".adjudication."));

const question = (name: string) => screen.queryByRole("group", { name });

describe("a decision that was begun", () => {
  it("keeps what was begun while the reader looks at another item, until it is dropped", async () => {
    const { user, server } = open("/i1");
    await screen.findByTestId("sentence");
    await user.keyboard("wmHalf a reason{Escape}{ArrowRight}");
    await waitFor(() => expect(screen.getByTestId("sentence").textContent).toBe("Rates are where they are."));
    expect(screen.queryByText(/Not stored yet/)).toBeNull();
    await user.keyboard("{ArrowLeft}");
    expect(await screen.findByText("Not stored yet: what you began here before.")).toBeVisible();
    expect(screen.getByLabelText(/^Reason/)).toHaveValue("Half a reason");
    expect(screen.getByRole("button", { name: /Opinion.*No.*decided/ })).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Drop it" }));
    expect(screen.getByLabelText(/^Reason/)).toHaveValue("");
    expect(question("Opinion")).not.toBeNull();
    expect(drafts()).toEqual([]);
    expect(server.posted).toEqual([]);
  });

  it("brings back over a reload what was begun, and not what was stored", async () => {
    const first = open("/i2");
    await screen.findByTestId("sentence");
    await first.user.keyboard("smOnly the vote{Escape}");
    first.unmount();
    const second = open("/i2");
    await screen.findByTestId("sentence");
    expect(screen.getByLabelText(/^Reason/)).toHaveValue("Only the vote");
    await second.user.keyboard("{Enter}");
    await waitFor(() => expect(second.server.posted.at(-1)?.labels).toEqual({ mp: "no" }));
    expect(await screen.findByText("You decided: Monetary policy: No.")).toBeVisible();
    expect(screen.queryByText(/Not stored yet/)).toBeNull();
    expect(drafts()).toEqual([]);
  });

  it("goes on with what another tab of the same person chose and wrote", async () => {
    const { user, server } = open("/i2");
    await screen.findByTestId("sentence");
    await user.keyboard("smOnly the{Escape}");
    const there = new DecisionDrafts(ME.id);
    inAnotherTab(() => there.keep("i2.1", { base: 0, labels: { mp: "no" }, reason: "Only the vote" }));
    expect(await screen.findByText("Not stored yet: what you chose and wrote in another tab.")).toBeVisible();
    expect(screen.getByLabelText(/^Reason/)).toHaveValue("Only the vote");
    await user.keyboard("m counts{Escape}");
    expect(there.get("i2.1")).toMatchObject({ reason: "Only the vote counts" });
    inAnotherTab(() => there.drop("i2.1"));
    expect(await screen.findByText("You stored or dropped in another tab what you had begun.")).toBeVisible();
    expect(drafts()).toEqual([]);
    expect(server.posted).toEqual([]);
  });
});
