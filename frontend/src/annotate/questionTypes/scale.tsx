import { labelsOf } from "../../api/codebooks";
import type { ScaleStage } from "../../api/types";
import { Options } from "../questions/Options";
import type { QuestionType } from "./questionType";

/** A point of an ordered scale, each on its digit's key. */
export const scale: QuestionType<ScaleStage> = {
  accepts: (stage, answer) => labelsOf(stage).some(({ key }) => key === answer),
  nameOf: (stage, answer) => labelsOf(stage).find(({ key }) => key === answer)?.name ?? answer,
  Form: ({ stage, answer, onAnswer, ...form }) => (
    <Options
      labels={labelsOf(stage)}
      chosen={answer === undefined ? [] : [answer]}
      onChoose={onAnswer}
      {...form}
    />
  ),
};
