import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog, open as long as it is on the page. Escape closes it; a click beside it does not. */
export function Dialog({ title, onClose, children }: DialogProps) {
  return (
    <ModalOverlay isOpen onOpenChange={onClose} className="dialog-veil">
      <Modal className="dialog">
        <AriaDialog ref={focusFirst}>
          <div className="dialog-head">
            <Heading slot="title">{title}</Heading>
            <button type="button" className="button quiet" onClick={onClose}>
              Close
            </button>
          </div>
          <div className="dialog-body">{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** What is named for it has the focus first, else the button that closes. */
function focusFirst(dialog: HTMLElement | null): void {
  (dialog?.querySelector<HTMLElement>("[data-first-focus]") ?? dialog?.querySelector("button"))?.focus();
}

/** Stands beside a dialog's primary button: closing without doing it is as near as doing it. */
export function CancelButton({
  onClose,
  children = "Cancel",
}: {
  onClose: () => void;
  children?: ReactNode;
}) {
  return (
    <button type="button" className="button" onClick={onClose}>
      {children}
    </button>
  );
}
