import type { LabelStage } from "../../api/types";
import { Options } from "../questions/Options";
import type { QuestionType } from "./questionType";

/** One label of several. */
export const label: QuestionType<LabelStage> = {
  accepts: ({ labels }, answer) => labels.some(({ key }) => key === answer),
  nameOf: ({ labels }, answer) => labels.find(({ key }) => key === answer)?.name ?? answer,
  Form: ({ stage, answer, onAnswer, ...form }) => (
    <Options
      labels={stage.labels}
      chosen={answer === undefined ? [] : [answer]}
      onChoose={onAnswer}
      {...form}
    />
  ),
};
