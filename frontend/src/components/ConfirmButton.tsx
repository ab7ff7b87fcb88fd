import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { type FieldErrors, isApiError } from "../api/errors";
import { Confirm } from "./Confirm";

interface ConfirmButtonProps {
  /** The words of the button that asks, and its name where they do not say all. */
  button: ReactNode;
  label?: string;
  className?: string;
  title: string;
  act: string;
  danger?: boolean;
  back?: string;
  blocked?: boolean;
  /** What is said before it is done. A form among it shows the refusals of its fields itself. */
  children: ReactNode | ((errors: FieldErrors) => ReactNode);
  /** Does it; the dialog stays open over what is refused. */
  onConfirm: () => unknown;
}

/** A button for what should not be done by accident: a dialog says what will happen before it does. */
export function ConfirmButton({
  button,
  label,
  className = "button",
  children,
  onConfirm,
  ...said
}: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  // Two clicks may come before the button is drawn as disabled.
  const isDoing = useRef(false);
  const doing = useMutation({
    mutationFn: async () => onConfirm(),
    onSuccess: () => setAsking(false),
    onSettled: () => {
      isDoing.current = false;
    },
    // Some of it needs no network.
    networkMode: "always",
  });
  const close = () => {
    doing.reset();
    setAsking(false);
  };
  const confirm = () => {
    if (isDoing.current) return;
    isDoing.current = true;
    doing.mutate();
  };
  const errors = isApiError(doing.error) ? doing.error.fields : {};
  const isPlaced = typeof children === "function" && Object.keys(errors).length > 0;
  return (
    <>
      <button type="button" className={className} aria-label={label} onClick={() => setAsking(true)}>
        {button}
      </button>
      {isAsking && (
        <Confirm
          {...said}
          busy={doing.isPending}
          error={isPlaced ? null : doing.error}
          onConfirm={confirm}
          onClose={close}
        >
          {typeof children === "function" ? children(errors) : children}
        </Confirm>
      )}
    </>
  );
}
