import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Answer, expectAccessible, renderScreen, roleOf, serve } from "../../test/admin";
import { CLOSED, DEFINITION, MEMBERS, person, textSet, VERSION } from "../../test/factoidSets";
import { FakeUpload } from "../../test/imports";
import { nextStep } from "./copy";
import { Component } from "./index";
import type { OwnList, Phase, TextSet } from "./types";

beforeEach(() => {
  FakeUpload.made = 0;
  vi.stubGlobal("XMLHttpRequest", FakeUpload);
});

const MINE: OwnList = {
  ...{ list: "l1", set: "Marta", kind: "definition", step: "independent", phase_number: 1 },
  ...{ n_texts: 6, n_factoids: 4, n_answers: 4, n_items: 0, n_items_open: 0, done_at: null },
};

const ANNOTATION: Phase = {
  ...{ ...CLOSED, id: "f2", number: 2, kind: "annotation", given_version: 1 },
  people: [person("m2", "Ann"), person("m3", "Ben")],
};

function open(
  sets: TextSet[],
  { mine = [], role = "admin" as const, routes = {}, pairings = [] as unknown[] }: Partial<Opened> = {},
) {
  const asked = serve({
    "GET /api/session/": { csrf: true },
    "GET /api/projects/p1/text-sets/": { sets, mine },
    "GET /api/projects/p1/": {},
    "GET /api/projects/p1/members/": MEMBERS,
    "GET /api/text-sets/s1/pairings/": { pairings },
    ...routes,
  });
  return { asked, ...renderScreen(Component, roleOf(role)) };
}

interface Opened {
  mine: OwnList[];
  role: "admin" | "annotator" | "adjudicator";
  routes: Record<string, unknown>;
  pairings: unknown[];
}

const posted = (asked: { method: string; path: string; body: unknown }[]) =>
  asked.filter(({ method }) => method === "POST").map(({ path, body }) => [path, body]);

describe("one's own work", () => {
  it("begins with the first list that is not done, by Enter", async () => {
    const done = { ...MINE, list: "l0", set: "Fortuyn", done_at: "2026-11-28T10:00:00Z" };
    const second: OwnList = { ...MINE, list: "l2", step: "second_look", n_items: 7, n_items_open: 3 };
    const given: OwnList = { ...MINE, list: "l3", kind: "annotation", phase_number: 3 };
    const { container, router } = open([], { mine: [done, MINE, second, given], role: "annotator" });
    const rows = within(await screen.findByRole("table"))
      .getAllByRole("row")
      .slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      "Define factoids: FortuynPhase 1: definition, independent4 factoidsdone",
      "Define factoids: MartaPhase 1: definition, independent4 factoidsopen",
      "Take a second look: MartaPhase 1: definition, second look4 of 7 items decidedopen",
      "Mark the given factoids: MartaPhase 3: annotation, independent4 of 24 answersopen",
    ]);
    expect(screen.queryByRole("button", { name: /Import a text set/ })).toBeNull();
    await expectAccessible(container);
    await userEvent.keyboard("{Enter}");
    expect(router.state.location.pathname).toBe("/projects/p1/factoids/lists/l1");
  });

  it("says what an annotator without a list waits for", async () => {
    open([], { role: "annotator" });
    expect(await screen.findByText(/your list then appears here by itself/)).toBeVisible();
  });

  it("leads an adjudicator to the pairs", async () => {
    const head = { id: "x1", threshold: 0.8, description_weight: 0, n_judged: 2, n_strong: 5, n_weak: 4 };
    const lists = {
      first: { list: "a", name: "Ann", phase_number: 1 },
      second: { list: "b", name: "Ben", phase_number: 1 },
    };
    open([textSet()], { role: "adjudicator", pairings: [{ ...head, ...lists }] });
    expect(await screen.findByRole("link", { name: "Ann and Ben" })).toHaveAttribute(
      "href",
      "/projects/p1/factoids/pairings/x1",
    );
    expect(screen.getByText("2 judged, 5 paired, 4 weakly")).toBeVisible();
    expect(screen.queryByRole("button", { name: /Pair two lists/ })).toBeNull();
  });
});

describe("importing a set", () => {
  const files = ["M01", "M02"].map((name) => new File(["One. Two."], `${name}.txt`));

  async function choose() {
    await userEvent.type(await screen.findByLabelText("Name of the set"), "Marta");
    await userEvent.upload(screen.getByLabelText("Choose files"), files);
    expect(screen.getByText("2 files")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Import the set" }));
    await waitFor(() => expect(FakeUpload.made).toBe(1));
  }

  it("teaches the order of the work before the first one, and names what is missing", async () => {
    const { container, asked } = open([]);
    expect(await screen.findByRole("heading", { name: "No text sets yet" })).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Import the set" }));
    expect(screen.getByText("Give the set a name.")).toBeVisible();
    expect(screen.getByText("Choose the files first.")).toBeVisible();
    expect(posted(asked)).toEqual([]);
    await expectAccessible(container);
  });

  it("sends all files, and the form is empty again", async () => {
    open([]);
    await choose();
    expect(FakeUpload.last.sent?.getAll("files")).toHaveLength(2);
    expect(FakeUpload.last.sent?.get("name")).toBe("Marta");
    expect(FakeUpload.last.sent?.get("format")).toBe("auto");
    await FakeUpload.last.answer(201, textSet());
    await waitFor(() => expect(screen.getByLabelText("Name of the set")).toHaveValue(""));
  });

  it("lists every fault by its line, and keeps what was typed", async () => {
    const { container } = open([]);
    await choose();
    const faults = ["Line 3: the id “M01-002” is used twice.", "Line 9: “sentences” is empty."];
    await FakeUpload.last.answer(400, { detail: "Nothing was imported.", errors: { files: faults } });
    expect(await screen.findByText(faults[0] ?? "")).toBeVisible();
    expect(screen.getByText(faults[1] ?? "")).toBeVisible();
    expect(screen.getByLabelText("Name of the set")).toHaveValue("Marta");
    await expectAccessible(container);
  });
});

describe("a set's phases", () => {
  it("opens a definition phase for chosen people", async () => {
    const { asked } = open([textSet()], { routes: { "POST /api/text-sets/s1/phases/": DEFINITION } });
    await userEvent.click(await screen.findByRole("button", { name: "Open a new phase of Marta" }));
    const dialog = within(screen.getByRole("dialog"));
    expect(dialog.getByRole("radio", { name: "Mark a given list" })).toBeDisabled();
    // An adjudicator does not annotate.
    await waitFor(() => expect(dialog.getAllByRole("checkbox")).toHaveLength(3));
    const act = dialog.getByRole("button", { name: "Open the phase" });
    expect(act).toBeDisabled();
    await userEvent.click(dialog.getByRole("checkbox", { name: "Ann" }));
    await userEvent.click(dialog.getByRole("checkbox", { name: "Ben" }));
    await userEvent.click(act);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(posted(asked)).toEqual([
      [
        "/api/text-sets/s1/phases/",
        { kind: "definition", members: ["m2", "m3"], given: null, follows: null, step: "independent" },
      ],
    ]);
  });

  it("gives the newest version to be marked", async () => {
    const set = textSet({ phases: [CLOSED], consensus: [VERSION, { ...VERSION, id: "v2", version: 2 }] });
    const { asked } = open([set], { routes: { "POST /api/text-sets/s1/phases/": ANNOTATION } });
    await userEvent.click(await screen.findByRole("button", { name: "Open a new phase of Marta" }));
    const dialog = within(screen.getByRole("dialog"));
    expect(dialog.getByLabelText("The list that they mark")).toHaveValue("v2");
    await userEvent.click(await dialog.findByRole("checkbox", { name: "Ann" }));
    await userEvent.click(dialog.getByRole("button", { name: "Open the phase" }));
    await waitFor(() => expect(posted(asked)).toHaveLength(1));
    expect(posted(asked)[0]?.[1]).toMatchObject({ kind: "annotation", given: "v2" });
  });

  it("shows how far each person is, and nobody's list while the phase is open", async () => {
    const { container } = open([textSet({ phases: [DEFINITION] })]);
    const phase = within(await screen.findByRole("region", { name: /Phase 1: definition, independent/ }));
    expect(
      phase
        .getAllByRole("row")
        .slice(1)
        .map((row) => row.textContent),
    ).toEqual([
      "Ann9 factoids in 6 textslast saved 28 Nov 2026, 09:30done",
      "Ben1 factoid in 1 textnothing saved yetnot done",
    ]);
    expect(phase.queryByRole("link")).toBeNull();
    // Texts of a phase stay the same while it is open.
    expect(screen.queryByRole("button", { name: /Add/ })).toHaveAccessibleName("Add people to phase 1");
    expect(screen.getByText(/Wait for Ben, then close phase 1/)).toBeVisible();
    await expectAccessible(container);
  });

  it("says what closing means, and shows a refusal in place", async () => {
    const refused = new Answer(409, { detail: "Phase 1 was closed already.", code: "closed" });
    const { asked } = open([textSet({ phases: [DEFINITION] })], {
      routes: { "POST /api/factoid-phases/f1/close/": refused },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Close and freeze phase 1 of Marta" }));
    const dialog = within(screen.getByRole("dialog"));
    expect(dialog.getByText(/Not done yet: Ben/)).toBeVisible();
    expect(dialog.getByText(/Nobody can change these lists afterwards/)).toBeVisible();
    await userEvent.click(dialog.getByRole("button", { name: "Close and freeze" }));
    expect(await dialog.findByText("Phase 1 was closed already.")).toBeVisible();
    expect(posted(asked)).toHaveLength(1);
  });

  it("reads lists of a closed phase, and opens the next step from it", async () => {
    const { asked } = open([textSet({ phases: [CLOSED, ANNOTATION], consensus: [VERSION] })], {
      routes: { "POST /api/text-sets/s1/phases/": { ...ANNOTATION, id: "f3" } },
    });
    const phase = within(await screen.findByRole("region", { name: /Phase 2: annotation/ }));
    expect(phase.getByRole("link", { name: "Ann" })).toHaveAttribute(
      "href",
      "/projects/p1/factoids/lists/list-m2",
    );
    await userEvent.click(screen.getByRole("button", { name: "Open the second look of phase 2 of Marta" }));
    const dialog = within(screen.getByRole("dialog"));
    expect(dialog.getByText(/without names and without discussion/)).toBeVisible();
    await userEvent.click(dialog.getByRole("button", { name: "Open the second look" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(posted(asked)[0]?.[1]).toEqual({
      ...{ kind: "annotation", step: "second_look", members: [], given: null, follows: "f2" },
    });
  });

  it("links no list of others while one's own second look is open", async () => {
    const look: Phase = {
      ...{ ...DEFINITION, id: "f2", number: 2, step: "second_look", follows: "f1" },
      people: CLOSED.people.map((each) => ({ ...each, list: `look-${each.list}` })),
    };
    const own: OwnList = { ...MINE, list: look.people[0]?.list ?? "", step: "second_look", phase_number: 2 };
    open([textSet({ phases: [CLOSED, look] })], { mine: [own] });
    const first = within(await screen.findByRole("region", { name: /^Phase 1/ }));
    expect(first.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
      CLOSED.people[0]?.name,
    ]);
  });

  it("offers the second look of each closed phase that none follows", async () => {
    open([textSet({ phases: [CLOSED, { ...ANNOTATION, closed_at: null }], consensus: [VERSION] })]);
    expect(
      await screen.findByRole("button", { name: "Open the second look of phase 1 of Marta" }),
    ).toBeVisible();
    expect(screen.queryByRole("button", { name: /second look of phase 2/ })).toBeNull();
  });

  it("adds people, without those who are in it", async () => {
    const { asked } = open([textSet({ phases: [DEFINITION] })], {
      routes: { "POST /api/factoid-phases/f1/members/": DEFINITION },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Add people to phase 1" }));
    const dialog = within(screen.getByRole("dialog"));
    await userEvent.click(await dialog.findByRole("checkbox", { name: "Admin" }));
    expect(dialog.queryByRole("checkbox", { name: "Ann" })).toBeNull();
    await userEvent.click(dialog.getByRole("button", { name: "Add them" }));
    await waitFor(() => expect(posted(asked)[0]?.[1]).toEqual({ members: ["m1"] }));
  });

  it("imports a list for a person who has none yet", async () => {
    open([textSet({ phases: [DEFINITION] })]);
    await userEvent.click(await screen.findByRole("button", { name: "Import a list into phase 1" }));
    const dialog = within(screen.getByRole("dialog"));
    expect(within(dialog.getByLabelText("Whose list it is")).getAllByRole("option")).toHaveLength(1);
    await userEvent.upload(dialog.getByLabelText("Choose a file"), new File(["{}"], "list_b.json"));
    await userEvent.click(dialog.getByRole("button", { name: "Import the list" }));
    await waitFor(() => expect(FakeUpload.made).toBe(1));
    expect(FakeUpload.last.sent?.get("member")).toBe("m3");
    expect(FakeUpload.last.sent?.get("phase")).toBe("f1");
    await FakeUpload.last.answer(400, {
      detail: "",
      errors: { file: ["Factoid P3: there is no sentence M09-001."] },
    });
    expect(await dialog.findByText(/there is no sentence M09-001/)).toBeVisible();
  });
});

describe("consensus lists", () => {
  const DRAFT = { id: "d1", revision: 12, created_at: "2026-11-28T13:00:00Z", n_factoids: 15 };

  it("publishes a draft as the next version", async () => {
    const { asked, container } = open(
      [textSet({ phases: [CLOSED], consensus: [VERSION], drafts: [DRAFT] })],
      { routes: { "POST /api/factoid-lists/d1/publish/": {} } },
    );
    expect(await screen.findByRole("link", { name: "Draft" })).toHaveAttribute(
      "href",
      "/projects/p1/factoids/lists/d1",
    );
    await expectAccessible(container);
    await userEvent.click(screen.getByRole("button", { name: "Publish the draft of Marta" }));
    await userEvent.click(screen.getByRole("button", { name: "Publish the version" }));
    await waitFor(() => expect(posted(asked)).toEqual([["/api/factoid-lists/d1/publish/", undefined]]));
  });

  it("discards one only after saying what is lost", async () => {
    const { asked } = open([textSet({ phases: [CLOSED], drafts: [DRAFT] })], {
      routes: { "POST /api/factoid-lists/d1/discard/": {} },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Discard the draft of Marta" }));
    expect(screen.getByText(/15 factoids and 12 steps of work. It can no longer be opened/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Discard the draft" }));
    await waitFor(() => expect(posted(asked)).toHaveLength(1));
  });

  it("starts a draft from somebody's list and opens it", async () => {
    const { asked, router } = open([textSet({ phases: [CLOSED] })], {
      routes: { "POST /api/text-sets/s1/consensus/": { id: "d9" } },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Start a draft of Marta" }));
    await userEvent.click(screen.getByRole("radio", { name: "Ben’s list of phase 1" }));
    await userEvent.click(screen.getByRole("button", { name: "Start the draft" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/projects/p1/factoids/lists/d9"));
    expect(posted(asked)[0]?.[1]).toEqual({ pairing: null, from: "list-m3" });
  });

  it("pairs two lists and leads to the pairs", async () => {
    const { asked, router } = open([textSet({ phases: [CLOSED] })], {
      routes: { "POST /api/text-sets/s1/pairings/": { id: "x9" } },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Pair two lists of Marta" }));
    const dialog = within(screen.getByRole("dialog"));
    await userEvent.selectOptions(dialog.getByLabelText("Second list (B)"), "Ann");
    expect(dialog.getByRole("button", { name: "Pair them" })).toBeDisabled();
    await userEvent.selectOptions(dialog.getByLabelText("Second list (B)"), "Ben");
    await userEvent.click(dialog.getByRole("button", { name: "Pair them" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/projects/p1/factoids/pairings/x9"));
    expect(posted(asked)[0]?.[1]).toEqual({
      first: "list-m2",
      second: "list-m3",
      threshold: 0.8,
      description_weight: 0,
    });
  });
});

describe("the next step of a set", () => {
  const head = { id: "x1", threshold: 0.8, description_weight: 0, n_judged: 0, n_strong: 0, n_weak: 0 };
  const pairing = (phase_number: number) => ({
    ...head,
    first: { list: "a", name: "Ann", phase_number },
    second: { list: "b", name: "Ben", phase_number },
  });
  const look: Phase = { ...CLOSED, id: "f2", number: 2, step: "second_look", follows: "f1" };

  it.each<[string, TextSet, RegExp]>([
    ["nothing is begun", textSet(), /Open a definition phase/],
    [
      "everyone is done",
      textSet({ phases: [{ ...DEFINITION, people: [person("m2", "Ann")] }] }),
      /close phase 1/,
    ],
    ["a definition is closed", textSet({ phases: [CLOSED] }), /Judge the pairs, then open a second look/],
    ["its second look is not paired", textSet({ phases: [CLOSED, look] }), /Pair two lists of phase 2/],
    [
      "a draft is begun",
      textSet({ phases: [CLOSED], drafts: [{ id: "d1", revision: 0, created_at: "", n_factoids: 0 }] }),
      /Edit the draft/,
    ],
    ["a list is published", textSet({ phases: [CLOSED], consensus: [VERSION] }), /Open an annotation phase/],
    ["an annotation is closed", textSet({ phases: [CLOSED, ANNOTATION] }), /then open the second look/],
    [
      "its second look is closed",
      textSet({ phases: [CLOSED, { ...ANNOTATION, step: "second_look" }] }),
      /then open the consensus/,
    ],
    [
      "all is decided",
      textSet({ phases: [CLOSED, { ...ANNOTATION, step: "consensus" }] }),
      /See the scores, and export the set/,
    ],
  ])("is said where %s", (_, set, words) => {
    expect(nextStep(set, [pairing(1)])).toMatch(words);
  });
});
