import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { Answer, expectAccessible } from "../../../test/admin";
import { openEditor } from "../../../test/equivalence";

const option = (words: string) => screen.getByRole("option", { name: new RegExp(`^${words}`) });
const card = (title: string) => within(screen.getByRole("region", { name: title }));
const saved = () => waitFor(() => expect(screen.getByTestId("classes-saved")).toHaveTextContent("All saved"));
const selected = () =>
  within(screen.getByRole("listbox", { name: "Strings found" }))
    .getAllByRole("option", { selected: true })
    .map((row) => row.textContent);

it("puts a string into a class by its number, goes to the next, and saves what was done in words", async () => {
  const { server, user, container } = await openEditor();
  await user.click(option("shortly"));
  await user.keyboard("1");
  expect(card("soon").getByRole("button", { name: /shortly/ })).toBeVisible();
  await saved();
  expect(server.sent).toMatchObject([{ action: "Put “shortly” into “soon”", base_revision: 3 }]);
  expect(server.evaluation.classes[0]?.members).toEqual(["soon", "in a jiffy", "shortly"]);
  expect(selected()).toEqual([expect.stringContaining("now")]);
  expect(screen.getByRole("listbox")).toHaveFocus();
  await expectAccessible(container);
});

it("selects with Space, Shift and Ctrl A, and makes a class of what is selected", async () => {
  const { server, user } = await openEditor();
  await user.click(option("soon"));
  await user.keyboard("{Shift>}{ArrowDown}{/Shift}");
  expect(selected()).toHaveLength(2);
  await user.keyboard("{Escape}{Control>}a{/Control}");
  expect(selected()).toHaveLength(4);
  await user.keyboard("{Escape}{ArrowDown}{ArrowDown}");
  await user.click(option("shortly"));
  await user.keyboard(" {ArrowDown} n");
  await saved();
  expect(server.evaluation.classes[2]?.members).toEqual(["shortly", "now"]);
});

it("undoes and redoes, and takes a member out of its class", async () => {
  const { server, user } = await openEditor();
  await user.click(card("class 2").getByRole("button", { name: /^next year/ }));
  await user.keyboard("{Backspace}");
  await saved();
  expect(server.evaluation.classes[1]?.members).toEqual([]);
  await user.keyboard("{Control>}z{/Control}");
  await saved();
  expect(server.evaluation.classes[1]?.members).toEqual(["next year"]);
  await user.keyboard("{Control>}{Shift>}z{/Shift}{/Control}");
  await saved();
  expect(server.evaluation.classes[1]?.members).toEqual([]);
  expect(server.sent.at(-1)).toMatchObject({ action: "Redid: Take “next year” out of its class" });
});

it("marks members that are not found, and says so to screen readers too", async () => {
  await openEditor();
  expect(card("soon").getByRole("button", { name: "in a jiffy not found" })).toBeVisible();
});

it("takes what somebody else saved, makes its own change on top, and says both", async () => {
  const { server, user } = await openEditor();
  const theirs = server.evaluation.classes.map((each) =>
    each.key === "a" ? { ...each, members: [...each.members, "now"] } : each,
  );
  server.take(theirs, "Bruno");
  await user.click(option("shortly"));
  await user.keyboard("1");
  await user.click(option("now"));
  await user.keyboard("2");
  const notice = within(await screen.findByRole("alert", { name: "Changed elsewhere" }));
  expect(notice.getByText("Bruno changed this evaluation meanwhile.")).toBeVisible();
  expect(notice.getByText("“now” went into “soon”.")).toBeVisible();
  expect(notice.getByText("Put “shortly” into “soon”")).toBeVisible();
  await waitFor(() => expect(server.evaluation.classes[0]?.members).toContain("shortly"));
});

it("keeps changes while the server is away, and sends them once it is back", async () => {
  const { server, user } = await openEditor();
  server.failures = Array.from({ length: 50 }, () => () => new Answer(503, { detail: "away" }));
  await user.click(option("shortly"));
  await user.keyboard("1");
  await waitFor(() =>
    expect(screen.getByTestId("classes-saved")).toHaveTextContent(
      "1 change not saved yet, kept in this browser",
    ),
  );
  expect(Object.keys(localStorage).some((key) => key.includes("equivalence.e1"))).toBe(true);
  server.failures = [];
  await user.click(screen.getByRole("button", { name: "Try now" }));
  await saved();
  expect(server.sent).toHaveLength(1);
  expect(Object.keys(localStorage).some((key) => key.includes("equivalence.e1"))).toBe(false);
});

it("validates a class by keys, and returns one with a note only", async () => {
  const { server, user } = await openEditor();
  await user.keyboard("jv");
  expect(await card("soon").findByText("validated, Admin")).toBeVisible();
  await user.keyboard("jx");
  await user.click(await screen.findByRole("button", { name: "Return the class" }));
  expect(screen.getByText("Say what should change.")).toBeVisible();
  await user.type(screen.getByLabelText("Note"), "Too wide.");
  await user.click(screen.getByRole("button", { name: "Return the class" }));
  expect(await card("class 2").findByText("Too wide.")).toBeVisible();
  await saved();
  expect(server.reviews).toMatchObject([
    { class_key: "a", decision: "validated", revision: 3 },
    { class_key: "b", decision: "returned", note: "Too wide." },
  ]);
  // What is changed after that says so.
  await user.click(option("shortly"));
  await user.keyboard("1");
  expect(card("soon").getByText(/changed since validated|validated, Admin/)).toBeVisible();
});

it("accepts a suggestion only when it is asked to", async () => {
  const { server, user } = await openEditor();
  await user.click(option("soon"));
  await user.click(screen.getByRole("button", { name: "Alike by words" }));
  expect(await screen.findByRole("button", { name: "Put into “soon”: shortly" })).toBeVisible();
  expect(server.sent).toEqual([]);
  await user.keyboard("a");
  await saved();
  expect(server.evaluation.classes[0]?.members).toEqual(["soon", "in a jiffy", "shortly"]);
});
