import { Switch } from "../../components/Switch";
import type { Choice } from "./choice";

interface WhoseSwitchProps {
  whose: Choice["whose"];
  onChange: (part: Partial<Choice>) => void;
}

export function WhoseSwitch({ whose, onChange }: WhoseSwitchProps) {
  return (
    <Switch<Choice["whose"]>
      label="Whose agreement"
      value={whose}
      options={[
        { value: "all", text: "All annotators" },
        { value: "pairs", text: "Pairs" },
      ]}
      onValue={(value) => onChange({ whose: value })}
    />
  );
}
