import type { TextStage } from "../../api/types";
import type { FormProps, QuestionType } from "./questionType";
import { Written } from "./Written";

/** A short text of one line. */
export const text: QuestionType<TextStage> = {
  accepts: (stage, answer) => stored(answer) === answer && faultOf(stage, answer) === null,
  nameOf: (_, answer) => answer,
  isConfirmed: true,
  Form: TextForm,
};

// As the server has them: control characters, what ends a line, and lone surrogates.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_IN_A_LINE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Surrogate}]/u;

function mostOf({ most_characters: most = 2000 }: TextStage): number {
  return most;
}

/** As it is stored: in Unicode's normal form C, and without white space at the ends. */
function stored(written: string): string {
  return written.normalize("NFC").trim();
}

function faultOf(stage: TextStage, answer: string): string | null {
  if (answer === "") return "Write a text.";
  if (NOT_IN_A_LINE.test(answer))
    return "Write one line: it holds a tab or another character that a line cannot have.";
  const length = lengthOf(answer);
  return length > mostOf(stage) ? `It has ${length} characters, at most ${mostOf(stage)} are allowed.` : null;
}

/** In code points, as the server counts. */
function lengthOf(answer: string): number {
  return [...answer].length;
}

function TextForm(form: FormProps<TextStage>) {
  const { stage } = form;
  return (
    <Written
      {...form}
      hint={`One line, at most ${mostOf(stage)} characters.`}
      inputMode="text"
      stored={stored}
      faultOf={(answer) => faultOf(stage, answer)}
    >
      {(answer) => (
        <span className="unit" aria-hidden="true">
          {lengthOf(answer)}/{mostOf(stage)}
        </span>
      )}
    </Written>
  );
}
