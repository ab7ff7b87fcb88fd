import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CodebookDraft, CodebookTemplate, CodebookVersion } from "../../api/codebooks";
import { Answer, expectAccessible, renderScreen, serve } from "../../test/admin";
import { CODEBOOK } from "../../test/rounds";
import { LAYER } from "../../test/spanFixtures";
import { Component } from "./index";

const LIST = "/api/projects/p1/codebooks/";

const DRAFT: CodebookVersion = {
  ...CODEBOOK,
  id: "c2",
  version: 2,
  state: "draft",
  published_at: null,
  changes: [
    { path: "name", words: "changed", is_breaking: false },
    { path: "stages.mp", words: "stage removed", is_breaking: true },
  ],
  definition: { ...CODEBOOK.definition, stages: CODEBOOK.definition.stages.slice(0, 1) },
};

const TEMPLATES: CodebookTemplate[] = [
  {
    key: "blank",
    title: "Blank",
    help: "One question.",
    definition: {
      name: "Mine",
      stages: CODEBOOK.definition.stages.slice(0, 1),
      learning: { stage: "opinion" },
    },
  },
  {
    key: "names",
    title: "Names",
    help: "Spans.",
    definition: { name: "Names", stages: [], span_layer: LAYER },
  },
];

const CHANGES = [
  { path: "name", words: "changed", is_breaking: false },
  { path: "stages.mp", words: "stage removed", is_breaking: true },
];

const DRAFT_PATH = "/api/projects/p1/codebook-draft/";

/** What the server holds of the shared draft, and what it does with it. */
let held: CodebookDraft;

const put = (text: string | null, by = "Admin") => {
  held = { ...held, revision: held.revision + 1, text, by };
  return held;
};

const draftRoutes = {
  [`GET ${DRAFT_PATH}`]: () => held,
  [`PUT ${DRAFT_PATH}`]: ({ body }: { body: { text: string; base_revision: number } }) =>
    body.base_revision === held.revision
      ? put(body.text)
      : new Answer(409, { code: "stale", detail: "Bea changed the draft meanwhile." }),
  [`POST ${DRAFT_PATH}`]: () => put(null),
};

beforeEach(() => {
  held = { revision: 0, text: null, base: "", by: null, changed_at: "2026-11-28T09:00:00Z" };
});

function open(versions: unknown, routes = {}, address = "/") {
  const asked = serve({
    [`GET ${LIST}`]: versions,
    "GET /api/codebook-templates/": TEMPLATES,
    "GET /api/projects/p1/codebooks/changes/": CHANGES,
    ...draftRoutes,
    ...routes,
  });
  return { asked, ...renderScreen(Component, {}, address) };
}

/** The definition as text, which an editor shows first only where it cannot be shown as fields. */
async function json(): Promise<HTMLTextAreaElement> {
  await userEvent.click(screen.getByRole("button", { name: "JSON" }));
  return screen.getByLabelText<HTMLTextAreaElement>("Definition (JSON)");
}

describe("codebook", () => {
  it("shows what is wrong with a draft that a later rule refuses, and lets it be edited", async () => {
    const faults = [{ path: "stages[1].open_when", message: "Names no stage." }];
    open([{ ...DRAFT, changes: null, faults }, CODEBOOK]);
    await userEvent.click(await screen.findByRole("button", { name: "Show version 2" }));
    const faulty = screen.getByRole("region", { name: "This version breaks a rule that came after it" });
    expect(within(faulty).getByRole("listitem")).toHaveTextContent("stages[1].open_when Names no stage.");
    expect(within(faulty).getByLabelText("Definition (JSON)")).toHaveTextContent(/"key": "opinion"/);
    expect(screen.queryByRole("button", { name: "Publish version 2" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Edit as a new draft" }));
    expect(await json()).toHaveTextContent(/"key": "opinion"/);
  });

  it("compares any two versions, with the words of what was changed", async () => {
    const renamed = { ...CODEBOOK.definition, name: "Committee, revised" };
    const { asked, container } = open([{ ...DRAFT, definition: renamed }, CODEBOOK]);
    const compared = within(await screen.findByRole("region", { name: "Compare two versions" }));
    expect(await compared.findByText(/would leave training under version 2/)).toBeVisible();
    const change = compared.getByText("name").closest("li");
    expect(change).toHaveTextContent(`Before${CODEBOOK.definition.name}AfterCommittee, revised`);
    await expectAccessible(container);
    await userEvent.selectOptions(compared.getByLabelText("From version"), "2 (draft)");
    await userEvent.selectOptions(compared.getByLabelText("To version"), "1 (published)");
    await waitFor(() => expect(asked.at(-1)?.path).toContain("codebooks/changes/"));
  });

  it("shows the published version in words", async () => {
    const { container } = open([CODEBOOK]);
    const stage = await screen.findByRole("region", { name: "2. Monetary policy" });
    expect(stage).toHaveTextContent("Opens when Opinion is “Yes”.");
    expect(screen.getByRole("region", { name: "1. Opinion" })).toHaveTextContent("Always open.");
    expect(screen.getByRole("rowheader", { name: /^Yes yes positive/ })).toBeVisible();
    expect(
      screen.getByText("The model learns Opinion, without the items whose majority is “Ambiguous”."),
    ).toBeVisible();
    expect(screen.getByText("Version 1, published: new batches take it.")).toBeVisible();
    await expectAccessible(container);
  });

  it("shows categories of spans in words, of a codebook without stages", async () => {
    const definition = { name: "Spans", stages: [], span_layer: LAYER };
    const { container } = open([{ ...CODEBOOK, definition }]);
    const spans = within(await screen.findByRole("region", { name: "Spans" }));
    expect(spans.getByRole("row", { name: /^Act act 2 ACT/ })).toHaveTextContent(
      "Exactly one in every Sentence; marked only inside spans of Sentence; a comment is needed.",
    );
    expect(spans.getByRole("row", { name: /^Reference/ })).toHaveTextContent(
      "Any number in the text; a comment may be written; linked to the source document that it means.",
    );
    expect(screen.getByText(/^The model learns nothing here/)).toBeVisible();
    expect(screen.getByRole("rowheader", { name: "1" }).closest("tr")).toHaveTextContent("4 span categories");
    await expectAccessible(container);
  });

  it("says which shortcut will not hold, on the page and before publishing", async () => {
    const [first, ...others] = LAYER.categories;
    if (!first) throw new Error("no category");
    const layer = { ...LAYER, categories: [{ ...first, shortcut: "x" }, ...others] };
    open([{ ...DRAFT, definition: { name: "Spans", stages: [], span_layer: layer } }]);
    const words = /Sentence: “x” skips the item there, so its key is “1”/;
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.getByRole("row", { name: /^Sentence sentence 1 / })).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Publish version 2" }));
    expect(within(screen.getByRole("dialog")).getByText(words)).toBeVisible();
  });

  it("says which versions were compatible", async () => {
    const second = {
      ...CODEBOOK,
      id: "c2",
      version: 2,
      compatible: false,
      published_at: "2025-11-25T09:00:00Z",
    };
    open([second, CODEBOOK]);
    const row = (await screen.findByRole("rowheader", { name: "2" })).closest("tr");
    expect(row).toHaveTextContent("in use for new batches");
    expect(row).toHaveTextContent("breaking: earlier answers left training");
    expect(screen.getByRole("rowheader", { name: "1" }).closest("tr")).toHaveTextContent("the first one");
  });

  it("saves an edit as a new draft and shows it", async () => {
    let versions = [CODEBOOK];
    const { asked, container } = open(() => versions, {
      [`POST ${LIST}`]: () => {
        versions = [DRAFT, CODEBOOK];
        return new Answer(201, DRAFT);
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Edit as a new draft" }));
    await expectAccessible(container);
    const area = await json();
    expect(JSON.parse(area.value)).toEqual(CODEBOOK.definition);
    await expectAccessible(container);
    fireEvent.change(area, { target: { value: JSON.stringify(DRAFT.definition) } });
    await userEvent.click(screen.getByRole("button", { name: "Save as a draft" }));
    expect(await screen.findByText(/Version 2, a draft/)).toBeVisible();
    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
      definition: DRAFT.definition,
      draft_revision: 1,
    });
  });

  it("stays in the editor over a reload, once the server has the draft and this browser keeps nothing", async () => {
    const { router } = open([CODEBOOK]);
    await userEvent.click(await screen.findByRole("button", { name: "Edit as a new draft" }));
    expect(router.state.location.search).toBe("?edit=1");
    cleanup();
    open([CODEBOOK], {}, "/?edit=1");
    expect(await screen.findByRole("form", { name: "Edit the codebook" })).toBeVisible();
  });

  it("keeps what was typed over leaving the page, until it is saved or discarded", async () => {
    const first = open([CODEBOOK]);
    await userEvent.click(await screen.findByRole("button", { name: "Edit as a new draft" }));
    await json();
    const area = () => screen.getByLabelText<HTMLTextAreaElement>("Definition (JSON)");
    const begun = area().value;
    fireEvent.change(area(), { target: { value: "half a thought" } });
    first.unmount();
    const second = open([CODEBOOK]);
    expect(await screen.findByText(/^Restored the text of the codebook that you had typed/)).toBeVisible();
    expect(area().value).toBe("half a thought");
    await expectAccessible(second.container);
    await userEvent.click(screen.getByRole("button", { name: "Close, and keep the text for later" }));
    await userEvent.click(screen.getByRole("button", { name: "Go on with the unsaved text" }));
    expect(area().value).toBe("half a thought");
    await userEvent.click(screen.getByRole("button", { name: "Discard the changes" }));
    const dialog = within(screen.getByRole("dialog"));
    await userEvent.click(dialog.getByRole("button", { name: "Discard the changes" }));
    expect(area().value).toBe(begun);
    second.unmount();
    open([CODEBOOK]);
    expect(await screen.findByRole("button", { name: "Edit as a new draft" })).toBeVisible();
  });

  it("says which version was published while a text waited, and loses neither", async () => {
    const first = open([CODEBOOK]);
    await userEvent.click(await screen.findByRole("button", { name: "Edit as a new draft" }));
    fireEvent.change(await json(), { target: { value: "mine" } });
    first.unmount();
    const published = { ...DRAFT, state: "published", published_at: "2026-11-27T09:00:00Z" };
    const later = {
      ...published,
      id: "c3",
      version: 3,
      published_at: "2026-11-28T09:00:00Z",
      changes: [{ path: "guidelines", words: "changed", is_breaking: false }],
    };
    const { container } = open([later, published, CODEBOOK]);
    const notice = within(
      (await screen.findByText("Version 2 was published meanwhile")).closest<HTMLElement>("[role=status]") ??
        document.body,
    );
    // Each with its own changes, the newest first.
    expect(notice.getAllByText(/was published meanwhile$/).map((words) => words.textContent)).toEqual([
      "Version 3 was published meanwhile",
      "Version 2 was published meanwhile",
    ]);
    expect(notice.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "guidelines changed",
      "name changed",
      "stages.mp stage removed",
    ]);
    await expectAccessible(container);
    await userEvent.click(screen.getByRole("button", { name: "Read version 2" }));
    expect(screen.getByText("Version 2, published earlier and replaced by version 3.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Go on with the unsaved text" }));
    expect(screen.getByLabelText("Definition (JSON)")).toHaveValue("mine");
  });

  it("takes a codebook from a file, and replaces what somebody wrote only where they say so", async () => {
    open([CODEBOOK]);
    await userEvent.click(await screen.findByRole("button", { name: "Edit as a new draft" }));
    await userEvent.click(screen.getByRole("button", { name: "Take a codebook from a file" }));
    const pick = (text: string) =>
      userEvent.upload(
        screen.getByLabelText("Choose a file"),
        new File([text], "other.json", { type: "application/json" }),
      );
    await pick(JSON.stringify({ ...CODEBOOK.definition, name: "Of another project" }));
    await waitFor(() =>
      expect(screen.getByLabelText("Name of the codebook")).toHaveValue("Of another project"),
    );
    await pick("not JSON");
    expect(await screen.findByText(/other.json takes the place of all that stands below/)).toBeVisible();
    expect(screen.getByLabelText("Name of the codebook")).toHaveValue("Of another project");
    await userEvent.click(screen.getByRole("button", { name: "Replace the text" }));
    expect(screen.getByText(/This cannot be shown as fields/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Close, and keep the text for later" }));
    const link = screen.getByRole("link", { name: "Download version 1" });
    expect(link).toHaveAttribute("download", "codebook-1.json");
    const [, data = ""] = (link.getAttribute("href") ?? "").split(",");
    expect(JSON.parse(decodeURIComponent(data))).toEqual(CODEBOOK.definition);
  });

  it("asks before a text is left that the browser could not keep", async () => {
    const { router } = open([CODEBOOK]);
    await userEvent.click(await screen.findByRole("button", { name: "Edit as a new draft" }));
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    fireEvent.change(await json(), { target: { value: "mine" } });
    expect(screen.getByRole("alert")).toHaveTextContent("This browser keeps nothing more for this site");
    act(() => void router.navigate("/elsewhere"));
    const dialog = within(await screen.findByRole("dialog", { name: "Leave this page?" }));
    await userEvent.click(dialog.getByRole("button", { name: "Stay here" }));
    expect(screen.getByLabelText("Definition (JSON)")).toHaveValue("mine");
  });

  it("does not send what is not JSON, and says where it breaks", async () => {
    const { asked } = open([CODEBOOK]);
    await userEvent.click(await screen.findByRole("button", { name: "Edit as a new draft" }));
    fireEvent.change(await json(), { target: { value: '{"name": ' } });
    await userEvent.click(screen.getByRole("button", { name: "Save as a draft" }));
    expect(screen.getByText(/This is not JSON yet/)).toBeVisible();
    expect(asked.every(({ method }) => method === "GET")).toBe(true);
  });

  it("shows each fault with its path and takes the cursor there", async () => {
    const errors = {
      "definition.stages[1].open_when.stage": ['unknown stage "opinon"'],
      definition: ["must be an object, not a list"],
    };
    open([CODEBOOK], { [`POST ${LIST}`]: new Answer(400, { detail: "The codebook has faults.", errors }) });
    await userEvent.click(await screen.findByRole("button", { name: "Edit as a new draft" }));
    await userEvent.click(screen.getByRole("button", { name: "Save as a draft" }));
    expect(await screen.findByText("Not saved: 2 places to fix.")).toBeVisible();
    expect(screen.getByText(/the whole/).closest("li")).toHaveTextContent("must be an object");
    await userEvent.click(screen.getByRole("button", { name: /stages\[1\].open_when.stage/ }));
    const area = screen.getByLabelText<HTMLTextAreaElement>("Definition (JSON)");
    expect(area).toHaveFocus();
    expect(area.value.slice(area.selectionStart, area.selectionEnd)).toBe('"opinion"');
  });

  it("publishes after saying what changes and what breaks", async () => {
    let versions = [DRAFT, CODEBOOK];
    const published: CodebookVersion = {
      ...DRAFT,
      state: "published",
      compatible: false,
      published_at: "2025-11-27T09:00:00Z",
    };
    const { container } = open(() => versions, {
      "POST /api/codebooks/c2/publish/": () => {
        versions = [published, CODEBOOK];
        return published;
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Show version 2" }));
    await userEvent.click(screen.getByRole("button", { name: "Publish version 2" }));
    const dialog = screen.getByRole("dialog");
    expect(dialog).toHaveTextContent("Breaking.");
    const [breaking, compatible] = within(dialog).getAllByRole("list");
    expect(breaking).toHaveTextContent(/^stages.mp stage removed$/);
    expect(compatible).toHaveTextContent(/^name changed$/);
    await expectAccessible(container);
    await userEvent.click(within(dialog).getByRole("button", { name: "Publish version 2" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(await screen.findByText("Version 2, published: new batches take it.")).toBeVisible();
  });

  it("shows in the dialog why it could not be published", async () => {
    const detail = "This version is already published. Save your change as a new version.";
    open([DRAFT, CODEBOOK], {
      "POST /api/codebooks/c2/publish/": new Answer(409, { code: "published", detail }),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Show version 2" }));
    await userEvent.click(screen.getByRole("button", { name: "Publish version 2" }));
    const dialog = screen.getByRole("dialog");
    await userEvent.click(within(dialog).getByRole("button", { name: "Publish version 2" }));
    expect(await within(dialog).findByText(detail)).toBeVisible();
  });

  it("begins with a template where there is no codebook, until something is changed", async () => {
    const { container } = open([]);
    expect(await screen.findByText(/No codebook yet. Write its stages/)).toBeVisible();
    expect(screen.getByLabelText("Name of the codebook")).toHaveValue("Mine");
    expect(screen.queryByRole("button", { name: "Close" })).toBeNull();
    await userEvent.click(screen.getByRole("radio", { name: "Names" }));
    expect(screen.getByLabelText("Category 1")).toHaveValue("Sentence");
    await expectAccessible(container);
    await userEvent.type(screen.getByLabelText("Name of the codebook"), "!");
    expect(screen.queryByRole("radio", { name: "Names" })).toBeNull();
  });

  const area = () => screen.getByLabelText<HTMLTextAreaElement>("Definition (JSON)");
  const isKept = () => waitFor(() => expect(held.text).toBe(area().value), { timeout: 4_000 });

  it("keeps a draft on the server, where another admin goes on with it", async () => {
    const first = open([CODEBOOK]);
    await userEvent.click(await screen.findByRole("button", { name: "Edit as a new draft" }));
    fireEvent.change(await json(), { target: { value: "half a thought" } });
    await isKept();
    first.unmount();
    localStorage.clear();
    const { container } = open([CODEBOOK]);
    await userEvent.click(await screen.findByRole("button", { name: "Go on with the unsaved text" }));
    expect(await json()).toHaveValue("half a thought");
    expect(screen.getByText(/^All admins of the project can go on with this draft. Admin/)).toBeVisible();
    await expectAccessible(container);
  });

  it.each([
    ["Put my text in its place", "mine"],
    ["Take the text of Bea", "Bea's"],
  ])("loses neither text of two admins at once: %s", async (choice, chosen) => {
    const { container } = open([CODEBOOK]);
    await userEvent.click(await screen.findByRole("button", { name: "Edit as a new draft" }));
    put("Bea's", "Bea");
    fireEvent.change(await json(), { target: { value: "mine" } });
    const alert = within(await screen.findByRole("alert", {}, { timeout: 4_000 }));
    expect(held.text).toBe("Bea's");
    expect(area()).toHaveValue("mine");
    await userEvent.click(alert.getByText("Read the text of Bea"));
    expect(alert.getByLabelText("Text of Bea (JSON)")).toHaveValue("Bea's");
    await expectAccessible(container);
    await userEvent.click(alert.getByRole("button", { name: choice }));
    await isKept();
    expect(held.text).toBe(chosen);
    if (chosen === "mine") return;
    await userEvent.click(screen.getByRole("button", { name: "Bring my text back" }));
    expect(area()).toHaveValue("mine");
  });
});
