import { count } from "../text/format";
import { Switch } from "./Switch";

interface WhichItemsProps<Value extends string> {
  value: Value;
  /** The words of every list there is, in their order. */
  words: Readonly<Record<Value, string>>;
  sizeOf: (value: Value) => number;
  onValue: (value: Value) => void;
}

/** Which of several lists of items is shown; each says how many it has. */
export function WhichItems<Value extends string>({ value, words, sizeOf, onValue }: WhichItemsProps<Value>) {
  return (
    <Switch<Value>
      label="Which items"
      value={value}
      options={(Object.keys(words) as Value[]).map((each) => ({
        value: each,
        text: `${words[each]} (${count(sizeOf(each))})`,
      }))}
      onValue={onValue}
    />
  );
}
