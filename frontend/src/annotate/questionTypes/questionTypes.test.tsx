import { render, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { StageDefinition } from "../../api/types";
import SAMPLES from "../../test/questionTypes.json";
import { axeFindings } from "../../test/renderApp";
import { answerReducer, answersFrom, questionState } from "../questions/answers";
import { missingStages, openAnswers } from "../questions/gates";
import { QUESTION_TYPES, questionType } from ".";

interface Sample {
  stage: StageDefinition;
  /** Each answer with its name. */
  answers: Record<string, string>;
  refused: string[];
}

const samples = Object.entries(SAMPLES as unknown as Record<string, Sample>);

it("has a sample of every type, which the server's tests read too", () => {
  expect(samples.map(([name]) => name).sort()).toEqual(Object.keys(QUESTION_TYPES).sort());
});

describe.each(samples)("a question of the type %s", (_name, { stage, answers, refused }) => {
  it("takes its answers, names them, and goes on", () => {
    for (const [answer, name] of Object.entries(answers)) {
      const after = answerReducer([stage], answersFrom({}), {
        kind: "answer",
        stage: stage.key,
        label: answer,
      });
      expect(openAnswers([stage], after.given)).toEqual({ [stage.key]: answer });
      expect([missingStages([stage], after.given), questionState([stage], after).current]).toEqual([
        [],
        null,
      ]);
      expect(questionType(stage).nameOf(stage, answer)).toBe(name);
    }
  });

  it("takes nothing else", () => {
    for (const answer of refused) {
      const state = answersFrom({});
      expect(answerReducer([stage], state, { kind: "answer", stage: stage.key, label: answer })).toBe(state);
      expect(openAnswers([stage], { [stage.key]: answer })).toEqual({});
    }
  });

  it("has a form that shows the answer and anyone can use", async () => {
    const { Form } = questionType(stage);
    const [answer = ""] = Object.keys(answers);
    render(
      <main>
        <fieldset aria-label={stage.title}>
          <Form stage={stage} keys={[]} answer={answer} isCurrent onAnswer={vi.fn()} />
        </fieldset>
      </main>,
    );
    expect(screen.getByRole("group", { name: stage.title })).not.toBeEmptyDOMElement();
    expect(await axeFindings()).toEqual([]);
  });
});
