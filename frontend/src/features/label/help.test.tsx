import { labelsOf } from "../../api/codebooks";
import "fake-indexeddb/auto";
import { screen, within } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeServer } from "../../test/fakeServer";
import { assignment } from "../../test/fixtures";
import { line, openPage } from "../../test/labelPage";
import { axeFindings } from "../../test/renderApp";

let server: FakeServer;

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  server = new FakeServer();
  server.install();
});

describe("help and access", () => {
  it("lists every key", async () => {
    const { user } = await openPage();
    await user.keyboard("?");
    const dialog = within(screen.getByRole("dialog", { name: "Keys" }));
    expect(dialog.getByText("Submit and go on")).toBeVisible();
    expect(within(dialog.getByRole("region", { name: "Opinion" })).getAllByRole("listitem")).toHaveLength(3);
    expect(await axeFindings()).toEqual([]);
  });

  it("lets a command have a key of its own, which its button prints and which is kept", async () => {
    const { user, unmount } = await openPage();
    await user.keyboard("?");
    await user.click(screen.getByRole("button", { name: "Change keys" }));
    await user.click(screen.getByRole("button", { name: "Skip, with a reason: x. Change" }));
    await user.keyboard("k");
    expect(screen.getByRole("button", { name: "Skip, with a reason: k. Change" })).toBeVisible();
    expect(await axeFindings()).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Close" }));
    const skip = screen.getByRole("button", { name: "Skip" });
    expect(skip).toHaveAttribute("aria-keyshortcuts", "k");
    expect(within(skip).getByText("k")).toBeVisible();
    await user.keyboard("x");
    expect(screen.queryByRole("dialog")).toBeNull();
    unmount();
    await openPage();
    await user.keyboard("k");
    expect(screen.getByRole("dialog", { name: "Skip this one" })).toBeVisible();
  });

  it("prints the keys of a command and a label that were swapped", async () => {
    const { user } = await openPage();
    await user.keyboard("?");
    await user.click(screen.getByRole("button", { name: "Change keys" }));
    await user.click(screen.getByRole("button", { name: "Skip, with a reason: x. Change" }));
    await user.keyboard("w");
    await user.click(screen.getByRole("button", { name: "Give it to “Skip, with a reason”" }));
    await user.click(screen.getByRole("button", { name: "Close" }));
    const printed = (name: string) => screen.getByRole("button", { name }).querySelector(".key")?.textContent;
    expect([printed("Yes"), printed("No"), printed("Skip")]).toEqual(["q", "x", "w"]);
    await user.keyboard("x");
    expect(line(/Opinion.*No/)).toBeVisible();
    await user.keyboard("w");
    expect(screen.getByRole("dialog", { name: "Skip this one" })).toBeVisible();
  });

  it("says whose key it is, and swaps the two; then all go back to the defaults", async () => {
    const { user } = await openPage();
    await user.keyboard("?");
    await user.click(screen.getByRole("button", { name: "Change keys" }));
    await user.click(screen.getByRole("button", { name: "Yes: q. Change" }));
    await user.keyboard("w");
    expect(screen.getByRole("alert")).toHaveTextContent("w is the key of “No”, which has q then.");
    await user.click(screen.getByRole("button", { name: "Give it to “Yes”" }));
    await user.click(screen.getByRole("button", { name: "No: q. Change" }));
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: "Close" }));
    expect(screen.getByRole("button", { name: "Yes" })).toHaveAttribute("aria-keyshortcuts", "w");
    await user.keyboard("w");
    expect(line(/Opinion.*Yes/)).toBeVisible();
    await user.keyboard("?");
    await user.click(screen.getByRole("button", { name: "Back to the defaults" }));
    await user.click(screen.getByRole("button", { name: "Close" }));
    await user.keyboard("1q");
    expect(line(/Opinion.*Yes/)).toBeVisible();
  });

  it("shows the codebook's help for the labels at hand", async () => {
    const stages = structuredClone(assignment("a1").codebook.definition.stages);
    const yes = labelsOf(stages[0])[0];
    if (yes) Object.assign(yes, { help: "Takes a **side**.", examples: ["I would go along."] });
    const definition = { ...assignment("a1").codebook.definition, stages };
    server.assignments = [assignment("a1", { codebook: { id: "c", version: 2, definition } })];
    const { user } = await openPage();
    await user.keyboard("h");
    expect(await screen.findByText("side")).toBeVisible();
    expect(screen.getByText("I would go along.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Read the whole codebook" }));
    expect(screen.getByRole("dialog", { name: "Five stages, version 2" })).toBeVisible();
  });

  it("prints a label's key on its button and tells it to assistive technology", async () => {
    await openPage();
    const yes = screen.getByRole("button", { name: "Yes" });
    expect(yes).toHaveAttribute("aria-keyshortcuts", "q");
    expect(within(yes).getByText("q")).toBeVisible();
  });

  it("has no finding of axe, with questions open and folded", async () => {
    const { user } = await openPage();
    await user.keyboard("qacc");
    expect(await axeFindings()).toEqual([]);
  });
});
