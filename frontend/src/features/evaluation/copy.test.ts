import { expect, it } from "vitest";
import { DONE, evaluation } from "../../test/evaluation";
import { leftOutWords } from "../../text/leftOut";
import { moneyWords, priceWords, problemTitle, problemWords, progressWords, shareDone } from "./copy";
import { headlineOf } from "./headline";

it("gives money in cents, and less than a cent in more places", () => {
  expect(moneyWords(1.239, "USD")).toBe("1.24 USD");
  expect(moneyWords(0.00841, "EUR")).toBe("0.0084 EUR");
  expect(moneyWords(0, "USD")).toBe("0.00 USD");
  expect(moneyWords(null, "USD")).toBe("no price given");
});

it("says prices, or that there are none", () => {
  const priced = { price_in: 0.5, price_out: 2, currency: "USD" };
  expect(priceWords(priced)).toBe("A million tokens cost 0.5 USD in and 2 USD out.");
  expect(priceWords({ ...priced, price_out: null })).toBe("The operator gave no prices.");
});

it("counts the predictions of all systems together", () => {
  const [one] = evaluation().progress.systems;
  const both = { progress: { detail: "", systems: [one, { ...one, total: 40, answered: 10 }] } };
  // 40 of 160 and 10 of 40.
  expect(shareDone(both as ReturnType<typeof evaluation>)).toBe(0.25);
  expect(progressWords(both as ReturnType<typeof evaluation>)).toBe("50 of 200 predictions");
  expect(shareDone({ progress: { detail: "", systems: [] } })).toBe(0);
});

it("names the best system of each stage", () => {
  expect(headlineOf(DONE, (name) => name.toUpperCase())).toEqual([
    "Opinion: 0.80, SMALL",
    "Context: 0.70, MAJORITY (n = 30)",
  ]);
});

it("says what was left out, and why", () => {
  expect(
    leftOutWords([
      { reason: "no majority", n: 1_200 },
      { reason: "nobody answered", n: 0 },
      { reason: "left out by an admin", n: 3 },
    ]),
  ).toBe(" Left out: no majority (1,200), left out by an admin (3).");
  expect(leftOutWords([])).toBe("");
});

it("says why an answer is not compliant, and shows a reason that it does not know as it is", () => {
  expect(problemWords("cut_off")).toBe("The answer was cut off before its end.");
  expect(problemTitle("not_json")).toBe("not JSON");
  expect(problemTitle("other")).toBe("other");
});
