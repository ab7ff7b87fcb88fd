import { describe, expect, it } from "vitest";
import { TimeKeeper } from "./timeKeeper";

function clock() {
  let now = 1_000;
  return {
    now: () => now,
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
  };
}

describe("TimeKeeper", () => {
  it("counts active and wall time alike while the person is there", () => {
    const { now, pass } = clock();
    const keeper = new TimeKeeper(now);
    pass(20);
    keeper.input();
    pass(25);
    expect(keeper.spent()).toEqual({ activeMs: 45_000, wallMs: 45_000 });
  });

  it("stops active time 30 s after the last input, and goes on at the next", () => {
    const { now, pass } = clock();
    const keeper = new TimeKeeper(now);
    pass(10);
    keeper.input();
    pass(120);
    keeper.input();
    pass(5);
    expect(keeper.spent()).toEqual({ activeMs: 45_000, wallMs: 135_000 });
  });

  it("takes hidden-tab time out", () => {
    const { now, pass } = clock();
    const keeper = new TimeKeeper(now);
    pass(10);
    keeper.watch(false);
    pass(3_600);
    keeper.watch(true);
    pass(10);
    expect(keeper.spent()).toEqual({ activeMs: 20_000, wallMs: 3_620_000 });
  });

  it("does not count input that comes while the tab is hidden", () => {
    const { now, pass } = clock();
    const keeper = new TimeKeeper(now, { activeMs: 0, wallMs: 0 }, false);
    pass(10);
    keeper.input();
    pass(10);
    expect(keeper.spent().activeMs).toBe(0);
  });

  it("goes on from what a draft had, and asking often changes nothing", () => {
    const { now, pass } = clock();
    const keeper = new TimeKeeper(now, { activeMs: 7_000, wallMs: 9_000 });
    for (let second = 0; second < 40; second += 1) {
      pass(1);
      keeper.spent();
    }
    expect(keeper.spent()).toEqual({ activeMs: 37_000, wallMs: 49_000 });
  });
});
