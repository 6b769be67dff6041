import { type ReactNode, useState } from 'react';
import { showNotice } from '../notice.ts';
import { say } from '../words/say.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { type Filled, Form } from './form.tsx';

interface ActProps {
  /** The texts of the buttons, in the page and in the dialog. */
  readonly verb: string;
  /** The title of the dialog: it names the thing. */
  readonly title: string;
  /** The consequence. */
  readonly children: ReactNode;
  /** The notice afterwards. */
  readonly done: string;
  readonly danger?: boolean;
  /** The look of the button before the dialog. */
  readonly look?: 'plain' | 'main';
  readonly onDo: (filled: Filled) => Promise<unknown>;
}

/** A button whose dialog explains and confirms an action; the dialog stays open where that fails. */
export function Act({ verb, title, children, done, danger, look = 'plain', onDo }: ActProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const act = async (filled: Filled) => {
    await onDo(filled);
    showNotice(say(done));
    close();
  };
  return (
    <>
      <Button look={look} onClick={() => setOpen(true)} aria-haspopup="dialog">
        {say(verb)}
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
