import { ask } from '../api.ts';
import { signOut, useSecret } from '../data.ts';
import { Alone } from '../ui/alone.tsx';
import { Field } from '../ui/field.tsx';
import { type Filled, Form } from '../ui/form.tsx';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';

/** A user without a second factor sets one up here; after that they sign in with it. */
export function SetUp() {
  const made = useSecret('POST /2fa/setup', { body: {} });
  const enable = async ({ token = '' }: Filled) => {
    await ask('POST /2fa/enable', { body: { token } });
    await signOut();
  };
  return (
    <Alone title="Set up a second factor">
      <p>
        This console opens only with one. Scan the code with an authenticator, or type the key in.
      </p>
      <Loaded of={made}>
        {({ data }) => (
          <>
            <img className="qr" src={data.qr_code} alt="The key as a QR code" />
            <p>
              <Ident id={data.manual_entry_key} />
            </p>
            <h2>Backup codes</h2>
            <p>
              Keep them where the authenticator is not. Each works once, and they are shown only
              now.
            </p>
            <ul className="codes">
              {data.backup_codes.map((code) => (
                <li key={code}>
                  <code>{code}</code>
                </li>
              ))}
            </ul>
            <Form send="Turn it on" onSend={enable}>
              <Field
                label="Code"
                name="token"
                hint="That the authenticator shows now. Then sign in again with the next one."
                autoComplete="one-time-code"
                required
              />
            </Form>
          </>
        )}
      </Loaded>
    </Alone>
  );
}
