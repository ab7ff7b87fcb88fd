import { Key } from "../../../components/Key";

interface SmallButtonProps {
  keyName: string | null;
  /** Where what it shows is a sign. */
  name?: string;
  isOff?: boolean;
  onClick: () => void;
  children: string;
}

/** By mouse it leaves the selection and the focus where they are. */
export function SmallButton({ keyName, name, isOff, onClick, children }: SmallButtonProps) {
  return (
    <button
      type="button"
      className="button small-button"
      aria-disabled={isOff || undefined}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      {name && <span className="visually-hidden">{name}</span>}
      {name ? <span aria-hidden="true">{children}</span> : children}
      {keyName && <Key name={keyName} />}
    </button>
  );
}
