import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { Answer, expectAccessible, renderScreen, serve } from "../../test/admin";
import { CARD, DETAIL, DONE, FAILED, RUNNING } from "../../test/releases";
import type { Release } from "./api";
import { Component as CardPreview } from "./card";
import { Component } from "./index";

const LIST = "GET /api/projects/p1/releases/";
const MAKE = "POST /api/projects/p1/releases/";
const WORKERS = "GET /api/projects/p1/workers/";
const ALIVE = { alive: true, seen_seconds_ago: 1 };
const workers = { broker: true, models: ALIVE, light: ALIVE };

describe("releases", () => {
  it("says what is unfinished, and makes the next one all the same", async () => {
    let releases: Release[] = [DONE];
    const asked = serve({
      [LIST]: () => ({
        releases,
        unfinished: [
          { text: "Round 3 is open.", where: "rounds" },
          { text: "4 items have no label.", where: "disagreements" },
          { text: "5 items wait.", where: "validation" },
          { text: "2 questions have no answer.", where: "datasheet" },
        ],
        nothing_yet: null,
        evaluations: [{ number: 2, name: "Small" }],
        text_sets: [{ id: "s1", name: "Ferry" }],
      }),
      [WORKERS]: workers,
      "GET /api/releases/r2/": () => ({ ...DETAIL, ...releases[0] }),
      [MAKE]: ({ body }: { body: unknown }) => {
        const queued: Release = { ...RUNNING, state: "queued", notes: (body as { notes: string }).notes };
        releases = [queued, ...releases];
        return new Answer(201, queued);
      },
    });
    const { container } = renderScreen(Component);
    expect(await screen.findByText("Round 3 is open.")).toBeVisible();
    const led = within(screen.getByRole("form")).getAllByRole("link");
    expect(led.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Round 3 is open.", "/projects/p1/rounds"],
      ["4 items have no label.", "/projects/p1/adjudication?kind=open"],
      ["5 items wait.", "/projects/p1/validation?state=open"],
      ["2 questions have no answer.", "/projects/p1/releases/datasheet?show=open"],
    ]);
    await userEvent.type(screen.getByLabelText("Notes"), "More items.");
    await userEvent.click(screen.getByLabelText("Evaluation 2, Small"));
    await userEvent.click(screen.getByLabelText("Ferry"));
    await userEvent.click(screen.getByRole("button", { name: "Make release 2" }));
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Make release 2" }));
    const made = await screen.findByRole("article", { name: "Release 2" });
    expect(made).toHaveTextContent("Waiting for the import and release worker");
    expect(made).toHaveTextContent("More items.");
    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
      notes: "More items.",
      evaluations: [2],
      text_sets: ["s1"],
    });
    const next = screen.getByRole("button", { name: "Make release 3" });
    expect(next).toHaveAccessibleDescription(/One at a time/);
    await userEvent.click(next);
    expect(asked.filter(({ method }) => method === "POST")).toHaveLength(1);
    await expectAccessible(container);
  });

  it("keeps the notes of a page that was left, until the release is made", async () => {
    let releases: Release[] = [];
    serve({
      [LIST]: () => ({ releases, unfinished: [], nothing_yet: null, evaluations: [], text_sets: [] }),
      [WORKERS]: workers,
      "GET /api/releases/r2/": () => ({ ...DETAIL, ...RUNNING }),
      [MAKE]: () => {
        releases = [RUNNING];
        return new Answer(201, RUNNING);
      },
    });
    const left = renderScreen(Component);
    await userEvent.type(await screen.findByLabelText("Notes"), "Written with care.");
    left.unmount();
    renderScreen(Component);
    expect(await screen.findByLabelText("Notes")).toHaveValue("Written with care.");
    await userEvent.click(screen.getByRole("button", { name: "Make release 1" }));
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Make release 1" }));
    await waitFor(() => expect(screen.getByLabelText("Notes")).toHaveValue(""));
    expect(Object.keys(localStorage).filter((key) => key.includes("release-notes"))).toEqual([]);
  });

  it("says beforehand that there is nothing to release", async () => {
    const nothing_yet = "Nobody has annotated an item of a round, so there is nothing to release yet.";
    const asked = serve({
      [LIST]: {
        releases: [],
        unfinished: [{ text: "2 questions.", where: "datasheet" }],
        nothing_yet,
        evaluations: [],
        text_sets: [],
      },
      [WORKERS]: workers,
    });
    const { container } = renderScreen(Component);
    const button = await screen.findByRole("button", { name: "Make release 1" });
    expect(button).toHaveAccessibleDescription(nothing_yet);
    expect(screen.queryByText(/can be made all the same/)).toBeNull();
    await userEvent.click(button);
    expect(asked.some(({ method }) => method === "POST")).toBe(false);
    await expectAccessible(container);
  });

  it("makes a release of text sets alone, where nothing is labelled", async () => {
    const nothing_yet = "Nobody has annotated an item of a round, so there is nothing to release yet.";
    const text_sets = [
      { id: "s1", name: "Ferry" },
      { id: "s2", name: "Flood" },
    ];
    const asked = serve({
      [LIST]: { releases: [], unfinished: [], nothing_yet, evaluations: [], text_sets },
      [WORKERS]: workers,
      [MAKE]: new Answer(400, {
        detail: "Some fields need to be corrected.",
        errors: { text_sets: ["The project has no text set s2."] },
      }),
    });
    const { container } = renderScreen(Component);
    const button = await screen.findByRole("button", { name: "Make release 1" });
    expect(button).toHaveAccessibleDescription(`${nothing_yet} Text sets can be released alone: choose one.`);
    await userEvent.click(screen.getByRole("checkbox", { name: "Flood" }));
    expect(button).not.toHaveAccessibleDescription();
    await userEvent.click(button);
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Make release 1" }));
    expect(await screen.findByText("The project has no text set s2.")).toBeVisible();
    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
      notes: "",
      evaluations: [],
      text_sets: ["s2"],
    });
    await expectAccessible(container);
  });

  it("shows how far one is, and asks only while it runs", async () => {
    let releases: Release[] = [RUNNING];
    const asked = serve({
      [LIST]: () => ({ releases, unfinished: [], nothing_yet: null, evaluations: [], text_sets: [] }),
      [WORKERS]: workers,
      "GET /api/releases/r2/": () => ({ ...DETAIL, ...releases[0] }),
    });
    renderScreen(Component);
    expect(await screen.findByText("Writing annotations (42 %)")).toBeVisible();
    releases = [{ ...DONE, id: "r2", number: 2 }];
    expect(await screen.findByRole("link", { name: "Download release 2" })).toBeVisible();
    expect(screen.getByText("Release 2 is done.")).toBeInTheDocument();
    expect(screen.getByText(/Nothing is open/)).toBeVisible();
    expect(asked.filter(({ path }) => path.endsWith("/releases/"))).toHaveLength(2);
    const ofReleases = () => asked.filter(({ path }) => path.includes("/releases/")).length;
    const before = ofReleases();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(ofReleases()).toBe(before);
  });

  it("shows what a release came to, its files, how to load it, and its card", async () => {
    const asked = serve({
      [LIST]: { releases: [DONE], unfinished: [], nothing_yet: null, evaluations: [], text_sets: [] },
      [WORKERS]: workers,
      "GET /api/releases/r1/": DETAIL,
    });
    const { container } = renderScreen(Component);
    const release = within(await screen.findByRole("article", { name: "Release 1" }));
    expect(release.getByText("27 Nov 2026, 10:01, by Anna")).toBeVisible();
    expect(release.getByText("Annotations").nextElementSibling).toHaveTextContent("3,150");
    expect(release.queryByText("Spans")).toBeNull();
    const download = release.getByRole("link", { name: "Download release 1" });
    expect(download).toHaveTextContent("Download (ZIP, 1.2 MB)");
    expect(download).toHaveAttribute("href", "/api/releases/r1/file/");
    await userEvent.click(release.getByRole("button", { name: "The files and their hashes of release 1" }));
    expect(
      await release.findByRole("row", { name: `data/aggregated.jsonl 1,050 2.5 MB ${"d".repeat(64)}` }),
    ).toBeVisible();
    expect(release.getByText("b".repeat(64))).toBeVisible();
    await userEvent.click(release.getByRole("button", { name: "Load it in Python of release 1" }));
    expect(release.getByText(/^from datasets/)).toHaveTextContent(
      'annotations = load_dataset(folder, "annotations", split="train")',
    );
    await userEvent.click(release.getByRole("button", { name: "Its card of release 1" }));
    expect(await release.findByRole("heading", { name: "Committee stance", level: 3 })).toBeVisible();
    await expectAccessible(container);
    expect(asked.filter(({ path }) => path === "/api/releases/r1/")).toHaveLength(1);
  });

  it("puts the content hash into the clipboard, or marks it", async () => {
    serve({
      [LIST]: { releases: [DONE], unfinished: [], nothing_yet: null, evaluations: [], text_sets: [] },
      [WORKERS]: workers,
    });
    renderScreen(Component);
    const user = userEvent.setup();
    const button = await screen.findByRole("button", { name: "Copy the content hash" });
    await user.click(button);
    expect(await screen.findByText("Copied.")).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(DONE.content_hash);
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new DOMException("no", "NotAllowedError"));
    await user.click(button);
    expect(await screen.findByText(/the text is marked/)).toBeVisible();
    expect(window.getSelection()?.toString()).toBe(DONE.content_hash);
  });

  it("says why one failed, and tries again with its notes", async () => {
    let releases = [FAILED, DONE];
    const asked = serve({
      [LIST]: () => ({ releases, unfinished: [], nothing_yet: null, evaluations: [], text_sets: [] }),
      [WORKERS]: workers,
      "GET /api/releases/r3/": () => ({ ...DETAIL, ...RUNNING, id: "r3", number: 3 }),
      [MAKE]: () => {
        const next: Release = { ...RUNNING, id: "r3", number: 3 };
        releases = [next, ...releases];
        return new Answer(201, next);
      },
    });
    renderScreen(Component);
    expect(await screen.findByText(/The storage has no room left/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: /^Try again/ }));
    expect(await screen.findByRole("article", { name: "Release 3" })).toBeVisible();
    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
      notes: "Once more.",
      evaluations: [],
      text_sets: [],
    });
    expect(screen.queryByRole("button", { name: /^Try again/ })).toBeNull();
  });

  it("shows what the server answers instead, and keeps the notes", async () => {
    serve({
      [LIST]: { releases: [], unfinished: [], nothing_yet: null, evaluations: [], text_sets: [] },
      [WORKERS]: workers,
      [MAKE]: new Answer(409, { code: "release_running", detail: "Release 1 is being made." }),
    });
    renderScreen(Component);
    await userEvent.type(await screen.findByLabelText("Notes"), "First.");
    await userEvent.click(screen.getByRole("button", { name: "Make release 1" }));
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Make release 1" }));
    expect(await screen.findByText("Release 1 is being made.")).toBeVisible();
    expect(screen.getByLabelText("Notes")).toHaveValue("First.");
  });

  it("does not ask where the light worker has stopped, and says so", async () => {
    const asked = serve({
      [LIST]: { releases: [], unfinished: [], nothing_yet: null, evaluations: [], text_sets: [] },
      [WORKERS]: { ...workers, light: { alive: false, seen_seconds_ago: 40 } },
    });
    renderScreen(Component);
    const button = await screen.findByRole("button", { name: "Make release 1" });
    await waitFor(() => expect(button).toHaveAccessibleDescription(/stopped \(last seen 40 s ago\)/));
    await userEvent.click(button);
    expect(asked.filter(({ method }) => method === "POST")).toEqual([]);
  });
});

describe("the card as it would be", () => {
  it("is shown to be read, with what machines read folded away, and as the file", async () => {
    serve({ "GET /api/projects/p1/releases/card/": { markdown: CARD } });
    const { container } = renderScreen(CardPreview);
    expect(await screen.findByRole("heading", { name: "Committee stance", level: 2 })).toBeVisible();
    expect(screen.getByRole("heading", { name: "What was it made for?", level: 5 })).toBeVisible();
    expect(screen.getByRole("row", { name: "data/aggregated.jsonl 1,050" })).toBeVisible();
    expect(screen.getByText("What data hubs read (YAML)")).toBeVisible();
    await expectAccessible(container);
    await userEvent.click(screen.getByRole("button", { name: "As the file" }));
    expect(screen.getByText(/^--- pretty_name/).textContent).toBe(CARD);
  });

  it("says so where it cannot be made", async () => {
    serve({ "GET /api/projects/p1/releases/card/": new Answer(500, null) });
    renderScreen(CardPreview);
    expect(await screen.findByText(/The card could not be loaded/)).toBeVisible();
  });
});
