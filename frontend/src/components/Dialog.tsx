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
        <AriaDialog>
          <div className="dialog-head">
            <Heading slot="title">{title}</Heading>
            <button type="button" className="button quiet" onClick={onClose}>
              Close
            </button>
          </div>
          <div className="dialog-body" ref={focusFirst}>
            {children}
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

function focusFirst(body: HTMLElement | null): void {
  body?.querySelector<HTMLElement>("[data-first-focus]")?.focus();
}

/** Stands beside a dialog's primary button: closing without doing it is as near as doing it. */
export function CancelButton({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" className="button" onClick={onClose}>
      Cancel
    </button>
  );
}
