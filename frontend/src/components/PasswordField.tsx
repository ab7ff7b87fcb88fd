import { type ReactNode, useState } from "react";
import { Labelled, type LabelledProps } from "./Labelled";

interface PasswordFieldProps extends LabelledProps {
  value: string;
  onValue: (value: string) => void;
  /** For the browser's store of passwords. */
  autoComplete: "current-password" | "new-password";
  autoFocus?: boolean;
}

/** What the server asks of a new password, said before one is refused. */
const PASSWORD_RULE: ReactNode =
  "At least 10 characters. No common password, and not like your name. Four unrelated words do well.";

/** A labelled input in which a password is chosen. */
export function NewPasswordField(props: Omit<PasswordFieldProps, "autoComplete" | "hint">) {
  return <PasswordField {...props} autoComplete="new-password" hint={PASSWORD_RULE} />;
}

/** A labelled input for a password, which can be shown as it is typed. */
export function PasswordField({ label, hint, errors, onValue, ...input }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Labelled label={label} hint={hint} errors={errors}>
      {(control) => (
        <span className="with-act">
          <input
            {...input}
            {...control}
            type={isShown ? "text" : "password"}
            required
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => onValue(event.currentTarget.value)}
          />
          <button
            type="button"
            className="button"
            aria-pressed={isShown}
            aria-label="Show what is typed"
            onClick={() => setShown(!isShown)}
          >
            {isShown ? "Hide" : "Show"}
          </button>
        </span>
      )}
    </Labelled>
  );
}
