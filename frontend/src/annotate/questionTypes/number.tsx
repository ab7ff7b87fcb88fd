import type { NumberStage } from "../../api/types";
import type { FormProps, QuestionType } from "./questionType";
import { Written } from "./Written";

/** A number, perhaps with a unit; arrows go up and down by a step. */
export const number: QuestionType<NumberStage> = {
  accepts: (stage, answer) => FORM.test(answer) && answer !== "-0" && faultOf(stage, answer) === null,
  nameOf: ({ unit }, answer) => `${answer} ${unit ?? ""}`.trimEnd(),
  isConfirmed: true,
  Form: NumberForm,
};

const LARGEST = 1_000_000_000;
const DECIMALS = 6;
/** The shortest form, as the server stores it. */
const FORM = /^-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/;
/** What a person may write for a number. */
const WRITTEN = /^([+-]?)([0-9]*)(?:\.([0-9]*))?$/;

/** In millionths, which are whole numbers here: steps are then exact. */
function millionths(value: number | string): number {
  return Math.round(Number(value) * 10 ** DECIMALS);
}

function decimalText(inMillionths: number): string {
  const sign = inMillionths < 0 ? "-" : "";
  const digits = String(Math.abs(inMillionths)).padStart(DECIMALS + 1, "0");
  return shortest(sign, digits.slice(0, -DECIMALS), digits.slice(-DECIMALS));
}

function shortest(sign: string, whole: string, decimals: string): string {
  const kept = decimals.replace(/0+$/, "");
  const number = `${whole.replace(/^0+(?=.)/, "") || "0"}${kept && `.${kept}`}`;
  return sign === "-" && number !== "0" ? `-${number}` : number;
}

/** A number in its shortest form; anything else as it is written. */
function stored(written: string): string {
  const plain = written.trim().replace("\u2212", "-");
  const [, sign = "", whole = "", decimals = ""] = WRITTEN.exec(plain) ?? [];
  return whole || decimals ? shortest(sign, whole, decimals) : plain;
}

function faultOf({ min, max, step }: NumberStage, answer: string): string | null {
  if (answer === "") return "Write a number.";
  if (!FORM.test(answer)) return "Write a number, with a point before the decimals, such as 2.5.";
  if ((answer.split(".")[1]?.length ?? 0) > DECIMALS) return `Write at most ${DECIMALS} decimals.`;
  const value = Number(answer);
  const low = min ?? -LARGEST;
  const high = max ?? LARGEST;
  if (value < low) return `It must be ${decimalText(millionths(low))} or more.`;
  if (value > high) return `It must be ${decimalText(millionths(high))} or less.`;
  if (typeof step === "number" && (millionths(answer) - millionths(min ?? 0)) % millionths(step) !== 0)
    return `It must go by steps of ${decimalText(millionths(step))}${typeof min === "number" ? ` from ${decimalText(millionths(min))}` : ""}.`;
  return null;
}

/** The next step up or down from what is written, within the bounds; from nothing, the least number or 0. */
function stepped(stage: NumberStage, written: string, by: 1 | -1): string {
  const low = millionths(stage.min ?? -LARGEST);
  const high = millionths(stage.max ?? LARGEST);
  const now = stored(written);
  const base = millionths(stage.min ?? 0);
  if (!FORM.test(now)) return decimalText(Math.min(Math.max(base, low), high));
  const step = millionths(stage.step ?? 1);
  const steps = (millionths(now) - base) / step;
  const next = stage.step ? (by > 0 ? Math.floor(steps) + 1 : Math.ceil(steps) - 1) : steps + by;
  const last = stage.step ? base + Math.floor((high - base) / step) * step : high;
  return decimalText(Math.min(Math.max(Math.round(base + next * step), low), last));
}

function NumberForm(form: FormProps<NumberStage>) {
  const { stage } = form;
  return (
    <Written
      {...form}
      hint={hintOf(stage)}
      inputMode="decimal"
      stored={stored}
      faultOf={(answer) => faultOf(stage, answer)}
      stepped={(written, by) => stepped(stage, written, by)}
    >
      {() => stage.unit && <span className="unit">{stage.unit}</span>}
    </Written>
  );
}

function hintOf({ min, max, step, unit }: NumberStage): string {
  const [low, high] = [min, max].map((each) => typeof each === "number" && decimalText(millionths(each)));
  const bounds =
    low && high ? `from ${low} to ${high}` : low ? `${low} or more` : high ? `${high} or less` : "";
  const by = typeof step === "number" ? `by ${decimalText(millionths(step))}` : "";
  const words = ["A number", unit && `in ${unit}`, bounds, by].filter(Boolean).join(" ");
  return `${words}. The arrow keys step.`;
}
