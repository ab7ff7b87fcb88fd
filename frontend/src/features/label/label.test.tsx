import "fake-indexeddb/auto";
import { screen, waitFor, within } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeServer } from "../../test/fakeServer";
import { assignment } from "../../test/fixtures";
import { announced, line, openPage, PAGE, question, sentence, status } from "../../test/labelPage";
import { axeFindings, renderApp } from "../../test/renderApp";

let server: FakeServer;

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  server = new FakeServer();
  server.install();
});

describe("reading", () => {
  it("shows the sentence with its speaker and document", async () => {
    await openPage();
    expect(sentence()).toBe("I would go along with a1.");
    expect(screen.getByText("Meeting of 4 March")).toBeVisible();
    expect(screen.getByText("turn 212, sentence 3")).toBeVisible();
  });

  it("opens the context step by step, character for character, and closes it", async () => {
    const { user } = await openPage();
    await user.keyboard("c");
    expect(sentence()).toBe(
      "Thank you.\r\nTwice\tin a  row. I would go along with a1. My only hesitation 😀.",
    );
    expect(screen.queryByText("Ms. Okafor.")).toBeNull();
    await user.keyboard("c");
    expect(screen.getByText("Ms. Okafor.")).toBeVisible();
    await user.keyboard("c");
    expect(screen.getByText("Five percent.", { trim: true })).toBeVisible();
    expect(screen.getAllByText("Ms. Okafor.")).toHaveLength(1);
    await user.keyboard("{Shift>}C{/Shift}");
    expect(screen.queryByText("Let us begin.")).toBeNull();
    expect(announced()).toBe("Context: Five sentences before.");
  });

  it("records the widest context, also when it was closed again", async () => {
    const { user } = await openPage();
    await user.keyboard("cc{Shift>}CC{/Shift}w{Enter}");
    await waitFor(() => expect(server.posted[0]?.body.context_opened).toBe("minus_5_sentences"));
  });
});

describe("answering", () => {
  it("shows later stages only when answers open them", async () => {
    const { user } = await openPage();
    expect(question("Opinion")).toBeVisible();
    expect(question("Monetary policy")).toBeNull();
    await user.keyboard("q");
    expect(line(/Opinion.*Yes/)).toBeVisible();
    expect(question("Monetary policy")).toBeVisible();
    expect(announced()).toBe("Opened: Monetary policy.");
  });

  it("answers the next open question with its own keys", async () => {
    const { user } = await openPage();
    await user.keyboard("qar");
    expect(line(/Stance.*Entailment/)).toBeVisible();
    expect(question("Context")).toBeVisible();
  });

  it("asks before it takes a context for needed that was never opened", async () => {
    const { user } = await openPage();
    await user.keyboard("qa");
    await user.click(screen.getByRole("button", { name: "Utterance" }));
    const dialog = () => screen.queryByRole("dialog", { name: "“Utterance” was not opened" });
    expect(dialog()).toHaveTextContent("You have opened no context. Your answer says that more was needed.");
    expect(await axeFindings()).toEqual([]);
    await user.keyboard("{Escape}");
    expect(question("Context")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Utterance" }));
    await user.click(screen.getByRole("button", { name: "Open it: the whole turn" }));
    expect(dialog()).toBeNull();
    expect(question("Context")).toHaveTextContent("You have opened: the whole turn.");
    await user.click(screen.getByRole("button", { name: "Utterance" }));
    expect(line(/Context.*Utterance/)).toBeVisible();
    await user.keyboard("3");
    await user.click(screen.getByRole("button", { name: "Minus_5_sentences" }));
    await user.click(screen.getByRole("button", { name: "Answer “Minus_5_sentences”" }));
    expect(line(/Context.*Minus_5_sentences/)).toBeVisible();
  });

  it("clears what no longer applies and brings it back, in words", async () => {
    const { user } = await openPage();
    await user.keyboard("qatz1w");
    const note = { selector: ".notice" };
    expect(screen.getByText("Cleared: Monetary policy, Context, Stance.", note)).toBeVisible();
    expect(announced()).toBe("Cleared: Monetary policy, Context, Stance.");
    expect(line(/Monetary policy/)).toBeNull();
    await user.keyboard("1q");
    expect(screen.getByText("Brought back: Monetary policy, Context, Stance.", note)).toBeVisible();
    expect(line(/Stance.*Contradiction/)).toBeVisible();
  });

  it("folds a reopened answer again and leaves it as it is", async () => {
    const { user } = await openPage();
    await user.keyboard("w1");
    expect(question("Opinion")).toBeVisible();
    await user.keyboard("{Escape}");
    expect(line(/Opinion.*No/)).toBeVisible();
  });

  it("works by mouse alone and keeps the focus on the questions", async () => {
    const { user } = await openPage();
    await user.click(screen.getByRole("button", { name: "Yes" }));
    expect(question("Monetary policy")).toHaveFocus();
    await user.click(screen.getByRole("button", { name: /Opinion/ }));
    expect(screen.getByRole("button", { name: "Yes", pressed: true })).toBeVisible();
    await user.click(within(question("Opinion") ?? document.body).getByRole("button", { name: "No" }));
    expect(screen.getByRole("button", { name: /Submit and next/ })).toHaveFocus();
  });

  it("does nothing with control, alt or meta held", async () => {
    const { user } = await openPage();
    await user.keyboard("{Control>}q{/Control}{Alt>}q{/Alt}{Meta>}q{/Meta}");
    expect(question("Opinion")).toBeVisible();
  });
});

describe("submitting", () => {
  it("names what is missing and sends nothing", async () => {
    const { user } = await openPage();
    await user.keyboard("q{Enter}");
    expect(screen.getByText("Answer first: Monetary policy", { selector: ".notice" })).toBeVisible();
    expect(server.posted).toEqual([]);
  });

  it("sends the open answers and shows the next item, for one request", async () => {
    const { user } = await openPage();
    const before = server.requests.length;
    await user.keyboard("qs{Enter}");
    await waitFor(() => expect(sentence()).toBe("I would go along with a2."));
    await waitFor(() => expect(status()).toBe("All saved"));
    expect(server.posted).toHaveLength(1);
    expect(server.posted[0]).toMatchObject({
      id: "a1",
      body: {
        ...{ base_revision: 0, answers: { opinion: "yes", mp: "no" }, spans: [], comment: "" },
        context_opened: "sentence",
      },
    });
    expect(server.posted[0]?.body.wall_ms).toBeGreaterThan(0);
    expect(screen.getByTestId("progress")).toHaveTextContent("1 of 4 done");
    const asked = server.requests.slice(before).filter((each) => each !== "GET /api/session/");
    expect(asked).toEqual(["POST /api/assignments/a1/annotations/"]);
  });

  it("takes a comment, in which letters are letters", async () => {
    const { user } = await openPage();
    await user.keyboard("mquite so? cx{Escape}");
    expect(question("Opinion")).toBeVisible();
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.keyboard("w{Enter}");
    await waitFor(() => expect(server.posted[0]?.body.comment).toBe("quite so? cx"));
  });

  it("skips with the very words that are typed at once, and never with a reason that nobody chose", async () => {
    const { user } = await openPage();
    await user.keyboard("x{Enter}");
    const dialog = within(screen.getByRole("dialog"));
    expect(dialog.getByRole("alert")).toBeVisible();
    await user.keyboard("no text here");
    expect(dialog.getByRole("radio", { name: "In my own words:" })).toBeChecked();
    await user.click(dialog.getByRole("radio", { name: "The codebook does not cover it" }));
    expect(dialog.getByLabelText("Own words")).toBeDisabled();
    await user.click(dialog.getByRole("radio", { name: "In my own words:" }));
    expect(dialog.getByLabelText("Own words")).toHaveValue("no text here");
    await user.type(dialog.getByLabelText("Own words"), "{Enter}");
    await waitFor(() => expect(server.posted[0]?.body).toMatchObject({ skip_reason: "no text here" }));
  });

  it("skips with a reason, and says that one is missing", async () => {
    const { user } = await openPage();
    await user.keyboard("qx{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("Choose a reason, or write your own.");
    expect(server.posted).toEqual([]);
    await user.click(screen.getByRole("radio", { name: "The codebook does not cover it" }));
    await user.click(screen.getByRole("button", { name: "Skip and next" }));
    await waitFor(() => expect(sentence()).toBe("I would go along with a2."));
    await waitFor(() =>
      expect(server.posted[0]?.body).toMatchObject({
        answers: {},
        skip_reason: "The codebook does not cover it",
      }),
    );
  });

  it("goes back to revise an earlier answer, and forward again", async () => {
    const { user, router } = await openPage();
    await user.keyboard("w{Enter}");
    await waitFor(() => expect(sentence()).toBe("I would go along with a2."));
    await waitFor(() => expect(status()).toBe("All saved"));
    await user.keyboard("{ArrowLeft}");
    await waitFor(() => expect(sentence()).toBe("I would go along with a1."));
    expect(screen.getByText(/You answered this one/)).toBeVisible();
    await user.keyboard("1e{Enter}");
    await waitFor(() => expect(router.state.location.pathname).toBe(PAGE));
    await waitFor(() =>
      expect(server.posted[1]).toMatchObject({
        id: "a1",
        body: { base_revision: 1, answers: { opinion: "ambiguous" } },
      }),
    );
    await waitFor(() => expect(sentence()).toBe("I would go along with a2."));
  });

  it("only reads back an answer that is final, with the reason, and what was begun is dropped by hand", async () => {
    const { user } = await openPage();
    await user.keyboard("w{Enter}");
    await waitFor(() => expect(status()).toBe("All saved"));
    await user.keyboard("{ArrowLeft}");
    await waitFor(() => expect(sentence()).toBe("I would go along with a1."));
    // A change that is left, and then the others' answers are looked at.
    await user.keyboard("1e{ArrowRight}");
    await waitFor(() => expect(sentence()).toBe("I would go along with a2."));
    const [first] = server.assignments;
    if (first)
      first.final =
        "You have seen the others' answers to this item. Your own answer can no longer be changed.";
    await user.keyboard("{ArrowLeft}");
    expect(
      await screen.findByText(
        "You answered this one. You have seen the others' answers to this item. Your own answer can no longer be changed.",
      ),
    ).toBeVisible();
    expect(sentence()).toBe("I would go along with a1.");
    expect(screen.getByText("Opinion").nextElementSibling).toHaveTextContent("No");
    expect(screen.queryByRole("button", { name: /Ambiguous|Submit/ })).toBeNull();
    expect(await axeFindings()).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Drop the change" }));
    await waitFor(() => expect(screen.queryByText(/can no longer be submitted/)).toBeNull());
    await user.keyboard("1e{Enter}");
    await waitFor(() => expect(sentence()).toBe("I would go along with a2."));
    expect(screen.queryByText(/You changed an earlier answer/)).toBeNull();
    expect(server.posted).toHaveLength(1);
  });

  it("makes no revision of an earlier answer that stays as it is", async () => {
    const { user } = await openPage();
    await user.keyboard("w{Enter}");
    await waitFor(() => expect(status()).toBe("All saved"));
    await user.keyboard("{ArrowLeft}");
    await waitFor(() => expect(sentence()).toBe("I would go along with a1."));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sentence()).toBe("I would go along with a2."));
    expect(server.posted).toHaveLength(1);
  });
});

describe("when things break", () => {
  it("moves on without the server, says so, and waits when the window is used up", async () => {
    const { user } = await openPage();
    server.isDown = true;
    await user.keyboard("w{Enter}");
    await waitFor(() => expect(sentence()).toBe("I would go along with a2."));
    await waitFor(() => expect(status()).toBe("1 saved on this device, sent when the server answers"));
    await user.keyboard("w{Enter}");
    await waitFor(() => expect(sentence()).toBe("I would go along with a3."));
    await user.keyboard("w{Enter}");
    expect(await screen.findByRole("heading", { name: "Waiting for the server" })).toBeVisible();
    server.isDown = false;
    await user.click(screen.getByRole("button", { name: "Try now" }));
    await waitFor(() => expect(sentence()).toBe("I would go along with a4."));
    await waitFor(() => expect(server.posted.map(({ id }) => id)).toEqual(["a1", "a2", "a3"]));
  });

  it("does not show an item again whose answer waits, after a reload", async () => {
    const page = await openPage();
    server.isDown = true;
    await page.user.keyboard("w{Enter}");
    await waitFor(() => expect(status()).toBe("1 saved on this device, sent when the server answers"));
    page.unmount();
    server.isDown = false;
    server.posted = [];
    await openPage();
    expect(sentence()).toBe("I would go along with a2.");
    await waitFor(() => expect(server.posted.map(({ id }) => id)).toEqual(["a1"]));
  });

  it("counts an answer once that the server has and this browser still keeps", async () => {
    const page = await openPage();
    server.losesReceipts = true;
    await page.user.keyboard("w{Enter}");
    await waitFor(() => expect(status()).toBe("1 saved on this device, sent when the server answers"));
    page.unmount();
    await openPage();
    expect(sentence()).toBe("I would go along with a2.");
    expect(screen.getByTestId("progress")).toHaveTextContent("1 of 4");
  });

  it("keeps a draft over a reload", async () => {
    const page = await openPage();
    await page.user.keyboard("qcmmaybe{Escape}");
    page.unmount();
    await openPage();
    expect(line(/Opinion.*Yes/)).toBeVisible();
    expect(screen.getByRole("textbox", { name: /Comment/ })).toHaveValue("maybe");
    expect(sentence()).toContain("My only hesitation");
  });

  it("keeps answers while signed out, and leads to the sign-in and back", async () => {
    const { user } = await openPage();
    server.signedIn = false;
    await user.keyboard("w{Enter}");
    await waitFor(() => expect(status()).toBe("1 saved on this device, sent once you sign in"));
    await user.click(screen.getByRole("button", { name: "Sign in again" }));
    await user.type(await screen.findByLabelText("User name"), "anna");
    await user.type(screen.getByLabelText("Password"), "secret");
    await user.click(screen.getByRole("button", { name: "Sign in" }));
    await waitFor(() => expect(sentence()).toBe("I would go along with a2."));
    await waitFor(() => expect(status()).toBe("All saved"));
  });

  it("asks the person when the server has another answer", async () => {
    const { user } = await openPage();
    const first = server.assignments[0];
    if (!first) throw new Error("no assignment");
    const theirs = { revision: 1, answers: { opinion: "yes" }, spans: [], comment: "", skip_reason: null };
    server.assignments[0] = { ...first, current: { ...theirs, context_opened: "sentence" } };
    await user.keyboard("w{Enter}");
    await waitFor(() => expect(status()).toBe("Not sent: 1 needs your decision"));
    await user.click(screen.getByRole("button", { name: "Decide" }));
    const dialog = within(screen.getByRole("dialog"));
    expect(dialog.getByText(/answered again in another tab/)).toBeVisible();
    await user.click(dialog.getByRole("button", { name: "Send mine" }));
    await waitFor(() => expect(status()).toBe("All saved"));
    expect(server.assignments[0]?.current).toMatchObject({ revision: 2, answers: { opinion: "no" } });
  });
});

describe("having nothing to label", () => {
  it.each([
    ["finished", "Batch 1 is complete"],
    ["waiting", "You are done with batch 1"],
    ["none", "Nothing is assigned to you"],
  ] as const)("says %s in its own words", async (state, title) => {
    server.assignments = [];
    server.restState = state;
    renderApp(PAGE);
    expect(await screen.findByRole("heading", { name: title })).toBeVisible();
    expect(await axeFindings()).toEqual([]);
  });

  it("says what was taken back, and claims no answers that are not there", async () => {
    server.assignments = [];
    server.restState = "finished";
    server.withdrawn = 5;
    renderApp(PAGE);
    await screen.findByRole("heading", { name: "Batch 1 is complete" });
    const words = screen.getByRole("main");
    expect(words).toHaveTextContent("You answered 0. 5 more were taken back, or went to somebody else.");
    expect(words).not.toHaveTextContent(/everybody else|all of your/);
  });

  it("answers an address that is not the person's with nothing here", async () => {
    renderApp(`${PAGE}/not-mine`);
    expect(await screen.findByRole("heading", { name: "Nothing here" })).toBeVisible();
  });
});

describe("a second look", () => {
  it("has the first answer filled in, says where somebody differs, and is confirmed with Enter", async () => {
    const first_look = {
      answers: { opinion: "yes", mp: "no" },
      comment: "",
      context_opened: "sentence" as const,
      differs: ["mp"],
    };
    server.assignments = [assignment("a1", { first_look }), assignment("a2", { first_look })];
    const { user } = await openPage();
    expect(screen.getByText(/Somebody’s differs from it at: Monetary policy/)).toBeVisible();
    expect(screen.getByText(/Only where two people answered and a question has two labels/)).toBeVisible();
    expect(await axeFindings()).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(server.posted[0]?.body.answers).toEqual({ opinion: "yes", mp: "no" }));
    // Corrected: the second question is opened again and answered otherwise.
    await waitFor(() => expect(sentence()).toBe("I would go along with a2."));
    await user.keyboard("2");
    await user.keyboard("d{Enter}");
    await waitFor(() => expect(server.posted[1]?.body.answers).toEqual({ opinion: "yes", mp: "ambiguous" }));
    expect(server.posted[1]?.body.base_revision).toBe(0);
  });
});
