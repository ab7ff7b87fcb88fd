import { describe, expect, it } from "vitest";
import { STAGES } from "../../test/fixtures";
import { type AnswerState, answerReducer, answersFrom, changeWords, questionState } from "./answers";
import { openAnswers } from "./gates";

const FULL = {
  opinion: "yes",
  mp: "yes",
  mp_context: "utterance",
  stance: "neutral",
  stance_context: "sentence",
};

function give(state: AnswerState, stage: string, label: string): AnswerState {
  return answerReducer(STAGES, state, { kind: "answer", stage, label });
}

describe("answering", () => {
  it("opens the stages that the answer opens, and says which", () => {
    const state = give(answersFrom({}), "opinion", "yes");
    expect(state.given).toEqual({ opinion: "yes" });
    expect(state.change).toEqual({ opened: ["mp"], cleared: [], restored: [] });
  });

  it("clears what no longer applies, and says so in words", () => {
    const state = give(answersFrom(FULL), "mp", "no");
    expect(openAnswers(STAGES, state.given)).toEqual({ opinion: "yes", mp: "no" });
    expect(state.change?.cleared).toEqual(["mp_context", "stance", "stance_context"]);
    expect(state.change && changeWords(STAGES, state.change)).toBe(
      "Cleared: Context, Stance, Stance context.",
    );
  });

  it("brings the cleared answers back when the answer is changed back", () => {
    const state = give(give(answersFrom(FULL), "opinion", "no"), "opinion", "yes");
    expect(openAnswers(STAGES, state.given)).toEqual(FULL);
    expect(state.change?.restored).toEqual(["mp", "mp_context", "stance", "stance_context"]);
    expect(state.change && changeWords(STAGES, state.change)).toBe(
      "Brought back: Monetary policy, Context, Stance, Stance context.",
    );
  });

  it("says nothing when no other stage changes", () => {
    expect(give(answersFrom(FULL), "stance", "entailment").change).toBeNull();
    expect(give(answersFrom({}), "opinion", "no").change).toBeNull();
  });

  it("refuses an answer to a closed stage and a label that the stage does not have", () => {
    const state = answersFrom({ opinion: "no" });
    expect(give(state, "mp", "yes")).toBe(state);
    expect(give(state, "opinion", "maybe")).toBe(state);
    expect(give(state, "nonsense", "yes")).toBe(state);
  });

  it("takes the answer to an optional stage back when it is chosen again", () => {
    const stages = STAGES.map((stage) => ({ ...stage, required: stage.key !== "stance" }));
    const state = answerReducer(stages, answersFrom(FULL), {
      kind: "answer",
      stage: "stance",
      label: "neutral",
    });
    expect(openAnswers(stages, state.given)).not.toHaveProperty("stance");
    expect(state.change?.cleared).toEqual(["stance_context"]);
  });

  it("ends a question title with its own mark only", () => {
    const stages = STAGES.map((stage) => ({ ...stage, title: `${stage.title}?` }));
    const words = changeWords(stages, { cleared: ["mp"], restored: [], opened: ["stance"] });
    expect(words).toBe("Cleared: Monetary policy? Opened: Stance?");
  });
});

describe("questionState", () => {
  it("puts the first unanswered stage at hand and the others beside it", () => {
    const { current, live } = questionState(STAGES, answersFrom({ opinion: "yes", mp: "yes" }));
    expect([current?.key, live.map(({ key }) => key)]).toEqual(["mp_context", ["mp_context", "stance"]]);
  });

  it("puts a reopened stage at hand until it is answered", () => {
    const reopened = answerReducer(STAGES, answersFrom(FULL), { kind: "reopen", stage: "mp" });
    expect(questionState(STAGES, reopened).current?.key).toBe("mp");
    expect(questionState(STAGES, give(reopened, "mp", "yes")).current).toBeNull();
  });

  it("does not reopen a closed stage", () => {
    const state = answerReducer(STAGES, answersFrom({ opinion: "no" }), { kind: "reopen", stage: "mp" });
    expect(state.reopened).toBeNull();
  });

  it("has nothing at hand when everything is answered", () => {
    expect(questionState(STAGES, answersFrom({ opinion: "no" }))).toEqual({ current: null, live: [] });
  });
});
