import "fake-indexeddb/auto";
import { screen, waitFor, within } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { openDatabase } from "../browser/database";
import { KeptDrafts, keptCount } from "../kept/drafts";
import { OutboxStore } from "../outbox/store";
import { homeScreen } from "../session/homeScreen";
import { FakeServer } from "../test/fakeServer";
import { axeFindings, renderApp } from "../test/renderApp";
import { pageTitle, SCREENS } from "./navigation";
import { screenLoader } from "./router";
// The screen is loaded before the first test begins, which would wait for it else.
import "../features/label/index";

let server: FakeServer;

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  server = new FakeServer();
  server.install();
});

const nav = () => within(screen.getByRole("navigation", { name: "Project" })).getAllByRole("link");

it("has a folder for every screen of the navigation", () => {
  expect(SCREENS.filter((screen) => !screenLoader(screen.name))).toEqual([]);
});

describe("the frame", () => {
  it("shows an annotator the screens of labelling only", async () => {
    renderApp("/projects/p1/label");
    await screen.findByTestId("sentence");
    expect(nav().map((link) => link.textContent)).toEqual(["Label", "Flags", "Your pace"]);
    expect(screen.queryByText(/worker/)).toBeNull();
    expect(document.title).toBe("Label · Committee stance · Quorum");
  });

  it("shows an admin the screens of stages, and a stopped worker in words", async () => {
    server.role = "admin";
    renderApp("/projects/p1/answers");
    await screen.findByText(/None yet/);
    const titles =
      "Overview Import Items Codebook Members Settings Rounds Label Practice Factoids Simulations Agreement Annotators Disagreements Insights Comments Report Evaluate Export Release Log".split(
        " ",
      );
    expect(nav().map((link) => link.textContent)).toEqual(titles);
    expect(await screen.findByText("import and release worker stopped")).toBeVisible();
    expect(screen.getByText("model worker")).toBeVisible();
  });

  it("shows the screens of spans alone where a project has no stages", async () => {
    Object.assign(server, { role: "admin", hasSpans: true, hasStages: false });
    renderApp("/projects/p1/answers");
    await screen.findByText(/None yet/);
    const titles =
      "Overview Import Items Codebook Members Settings Rounds Label Factoids Simulations Agreement Annotators Validate Equivalence_classes Comments Interpret Export Dataset Release Log".split(
        " ",
      );
    expect(nav().map((link) => link.textContent)).toEqual(titles.map((title) => title.replace("_", " ")));
  });

  it("shows Factoids to annotators where there are text sets, and begins there where nothing else is", async () => {
    server.hasTextSets = true;
    renderApp("/projects/p1/label");
    await screen.findByTestId("sentence");
    expect(nav().map((link) => link.textContent)).toEqual(["Label", "Flags", "Your pace", "Factoids"]);
    expect(homeScreen(server.project())).toBe("label");
    expect(homeScreen({ ...server.project(), has_batches: false })).toBe("factoids");
    server.role = "adjudicator";
    expect(homeScreen(server.project())).toBe("adjudication");
    expect(homeScreen({ ...server.project(), has_stages: false })).toBe("factoids");
  });

  it("groups an admin's screens, and says what a screen waits for", async () => {
    Object.assign(server, { role: "admin", hasAnswers: false });
    const { user } = renderApp("/projects/p1/answers");
    await screen.findByText(/None yet/);
    const lists = within(screen.getByRole("navigation", { name: "Project" }));
    const quality = lists.getByRole("list", { name: "Quality" });
    const titles = within(quality).getAllByRole("link");
    expect(titles.map((link) => link.textContent)).toEqual([
      "Agreement",
      "Annotators",
      "Disagreements",
      "Insights",
      "Comments",
    ]);
    expect(within(quality).getByRole("link", { name: "Agreement" })).toHaveAccessibleDescription(
      "Waits for the first answers",
    );
    expect(lists.getByRole("link", { name: "Rounds" })).toHaveAccessibleDescription(
      "Waits for an import and a published codebook",
    );
    expect(lists.getByRole("link", { name: "Insights" })).not.toHaveAccessibleDescription();
    const menu = screen.getByRole("button", { name: "Menu" });
    await user.click(menu);
    expect(menu).toHaveAttribute("aria-expanded", "true");
    expect(lists.getByRole("link", { name: "Overview" })).toHaveFocus();
    await user.keyboard("{Escape}");
    expect(menu).toHaveAttribute("aria-expanded", "false");
    expect(menu).toHaveFocus();
    await user.click(menu);
    await user.click(lists.getByRole("link", { name: "Log" }));
    expect(menu).toHaveAttribute("aria-expanded", "false");
    expect(await axeFindings()).toEqual([]);
  });

  it("shows Validate where spans are marked, to admins and adjudicators", async () => {
    server.hasSpans = true;
    for (const role of ["admin", "adjudicator"] as const) {
      server.role = role;
      const { unmount } = renderApp("/projects/p1/answers");
      await screen.findByText(/None yet/);
      expect(
        within(screen.getByRole("navigation", { name: "Project" })).getByRole("link", { name: "Validate" }),
      ).toBeVisible();
      unmount();
    }
  });

  it("says on a page that nothing can come to, why", async () => {
    server.role = "admin";
    for (const [name, hasSpans, hasStages, words] of [
      ["adjudication", true, false, /No published codebook of this project has stages/],
      ["validation", false, true, /No published codebook of this project marks spans/],
      ["dataset", false, true, /No published codebook of this project marks spans/],
    ] as const) {
      Object.assign(server, { hasSpans, hasStages });
      const { unmount } = renderApp(`/projects/p1/${name}`);
      expect(await screen.findByText(words)).toBeVisible();
      unmount();
    }
  });

  it("names a screen that is reached from another", () => {
    expect(pageTitle("/projects/p1/releases", "Stance")).toBe("Release · Stance · Quorum");
    expect(pageTitle("/projects/p1/releases/datasheet", "Stance")).toBe("Datasheet · Stance · Quorum");
    expect(pageTitle("/projects/p1/label/a1", undefined)).toBe("Label · Quorum");
  });

  it("says whom a screen is for, and asks nothing that would be refused", async () => {
    for (const [name, whose] of [
      ["export", "those who run the project"],
      ["members", "those who run the project"],
      ["log", "those who run the project"],
      ["adjudication", "those who adjudicate"],
    ]) {
      const { unmount } = renderApp(`/projects/p1/${name}`);
      expect(await screen.findByRole("heading", { name: `This page is for ${whose}` })).toBeVisible();
      expect(screen.getByRole("link", { name: "To your own page" })).toHaveAttribute(
        "href",
        "/projects/p1/label",
      );
      expect(server.requests.filter((request) => request.includes(`/p1/${name}`))).toEqual([]);
      unmount();
    }
  });

  it("answers an unknown address with nothing here", async () => {
    renderApp("/no/such/page");
    expect(await screen.findByRole("heading", { name: "Nothing here" })).toBeVisible();
  });

  it("answers another person's project as one that does not exist", async () => {
    renderApp("/projects/p2/label");
    expect(await screen.findByRole("heading", { name: "Nothing here" })).toBeVisible();
  });
});

describe("signing in and out", () => {
  it("leads to the sign-in and back to the page that was asked for", async () => {
    server.signedIn = false;
    const { user, router } = renderApp("/projects/p1/label");
    await user.type(await screen.findByLabelText("User name"), "anna");
    expect(await axeFindings()).toEqual([]);
    await user.type(screen.getByLabelText("Password"), "secret{Enter}");
    await screen.findByTestId("sentence");
    expect(router.state.location.pathname).toBe("/projects/p1/label");
  });

  it("signs out at once when all is saved", async () => {
    const { user } = renderApp("/projects/p1/label");
    await screen.findByTestId("sentence");
    await user.click(screen.getByRole("button", { name: "Sign out" }));
    expect(await screen.findByLabelText("User name")).toBeVisible();
    expect(server.signedIn).toBe(false);
  });

  it("asks first while an answer is not saved", async () => {
    const { user } = renderApp("/projects/p1/label");
    await screen.findByTestId("sentence");
    server.isDown = true;
    await user.keyboard("w{Enter}");
    await waitFor(() =>
      expect(screen.getByTestId("save-status")).toHaveTextContent("1 saved on this device"),
    );
    await user.click(screen.getByRole("button", { name: "Sign out" }));
    expect(screen.getByRole("dialog")).toHaveTextContent("1 answer has not reached the server");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("deletes what was written and not saved, where the person wants that", async () => {
    const { user } = renderApp("/projects/p1/label");
    await screen.findByTestId("sentence");
    new KeptDrafts<string>("anna", "note").keep("n1", "A note that nobody else must find");
    await user.keyboard("m");
    await user.type(await screen.findByLabelText(/Comment/), "Half a thought");
    const store = new OutboxStore(await openDatabase(), "anna");
    await waitFor(async () => expect((await store.drafts()).size).toBe(1));
    await user.click(screen.getByRole("button", { name: "Sign out" }));
    expect(screen.getByRole("dialog")).toHaveTextContent("2 texts that you typed are not saved");
    await user.click(screen.getByRole("button", { name: "Delete the texts and sign out" }));
    expect(await screen.findByLabelText("User name")).toBeVisible();
    expect(keptCount("anna")).toBe(0);
    expect(await store.drafts()).toEqual(new Map());
  });
});

describe("the list of projects", () => {
  it("says the person's own progress in words", async () => {
    renderApp("/");
    expect(await screen.findByText(/0 of 4 done in batch 1, 4 to go/)).toBeVisible();
    expect(screen.getByRole("link", { name: /^Start\s*labelling in Committee stance$/ })).toBeVisible();
    expect(await axeFindings()).toEqual([]);
  });
});
