import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { say } from '../words/say.ts';

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** In front of the page until it is closed; Escape closes it, and the focus returns to its place. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed while it is still there: only then the focus can return.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      // Its owner closes it, so that its request and its display agree.
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{say(title)}</h2>
      {children}
    </dialog>
  );
}
