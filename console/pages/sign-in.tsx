import { useState } from 'react';
import { ask } from '../api.ts';
import { client } from '../data.ts';
import { Alone } from '../ui/alone.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { type Filled, Form } from '../ui/form.tsx';

const enter = () => client.invalidateQueries();

/** Name and password, and the second factor of a user who has one. */
export function SignIn() {
  const [half, setHalf] = useState<number>();
  const begin = async ({ usernameoremail = '', password = '' }: Filled) => {
    const { data } = await ask('POST /console/session', { body: { usernameoremail, password } });
    return data.state === 'second_factor' ? setHalf(data.user_id) : enter();
  };
  if (half !== undefined) return <SecondFactor user_id={half} onBack={() => setHalf(undefined)} />;
  return (
    <Alone title="Sign in">
      <Form send="Sign in" onSend={begin}>
        <Field
          label="User name or e-mail address"
          name="usernameoremail"
          autoComplete="username"
          required
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      </Form>
      <p className="soft">
        For the people who run this service, and for the teams of its clients. Everything done here
        is on record.
      </p>
    </Alone>
  );
}

function SecondFactor({ user_id, onBack }: { user_id: number; onBack: () => void }) {
  const complete = async ({ code = '' }: Filled) => {
    await ask('POST /console/session/complete', { body: { user_id, code } });
    return enter();
  };
  return (
    <Alone title="Second factor">
      <Form send="Sign in" onSend={complete} beside={<Button onClick={onBack}>Back</Button>}>
        <Field
          label="Code"
          name="code"
          hint="Of your authenticator, or one of your backup codes."
          autoComplete="one-time-code"
          autoFocus
          required
        />
      </Form>
    </Alone>
  );
}
