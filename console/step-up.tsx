import { ask } from './api.ts';
import { proving } from './proving.ts';
import { useStore } from './store.ts';
import { Button } from './ui/button.tsx';
import { Dialog } from './ui/dialog.tsx';
import { Field } from './ui/field.tsx';
import { type Filled, Form } from './ui/form.tsx';

/** Asks for a proof before a dangerous action, and then continues with it. */
export function StepUp() {
  const open = useStore(proving);
  if (open === undefined) return null;
  const prove = async ({ code, password }: Filled) => {
    await ask('POST /console/session/prove', {
      body: code ? { code } : { password: password ?? '' },
    });
    open.done();
  };
  return (
    <Dialog title="Is it still you?" onClose={open.cancelled}>
      <p>This needs a proof of the last five minutes. One of the two is enough.</p>
      <Form send="Go on" onSend={prove} beside={<Button onClick={open.cancelled}>Cancel</Button>}>
        <Field label="Code of your authenticator" name="code" autoComplete="one-time-code" />
        <Field label="Password" name="password" type="password" autoComplete="current-password" />
      </Form>
    </Dialog>
  );
}
