import { type ReactNode, useState } from 'react';
import { tell } from '../told.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { type Filled, Form } from './form.tsx';

interface ActProps {
  /** What the button says, and the one that does it. */
  readonly verb: string;
  /** What the dialog is called: it names the thing. */
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** Said when it is done. */
  readonly done: string;
  readonly danger?: boolean;
  /** How the button looks before anything was asked. */
  readonly look?: 'plain' | 'main';
  readonly onDo: (filled: Filled) => Promise<unknown>;
}

/** A button that does something after a dialog has said what; it stays where that fails. */
export function Act({ verb, title, children, done, danger, look = 'plain', onDo }: ActProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const act = async (filled: Filled) => {
    await onDo(filled);
    tell(done);
    close();
  };
  return (
    <>
      <Button look={look} onClick={() => setOpen(true)} aria-haspopup="dialog">
        {verb}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          <Form
            send={verb}
            danger={danger ?? false}
            onSend={act}
            beside={<Button onClick={close}>Cancel</Button>}
          >
            {children}
          </Form>
        </Dialog>
      )}
    </>
  );
}
