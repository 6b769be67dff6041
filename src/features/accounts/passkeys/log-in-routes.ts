import { randomBytes, randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import {
  DeviceInput,
  DeviceLoggedIn,
  type DeviceLogIn,
  enterDevice,
  keptDevice,
  lockOwner,
  loggedInOf,
  type MobileDeps,
  readDeviceProof,
  requireOwnKey,
  useDeviceProof,
} from '#features/accounts/mobile/mobile.ts';
import { findLogin, refuseInactive } from '#features/accounts/sign-in/sign-in.ts';
import { decide } from '#kernel/access/attempts.ts';
import { clientOfKey } from '#kernel/access/authenticator.ts';
import { requesterMark, requesterOf } from '#kernel/access/requester.ts';
import { AppError } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { Json, Nothing, stamped, Uuid } from '#kernel/http/declare/schema.ts';
import { assertionOptions, PASSKEY_MS, relyingPartyOf, unknownPasskey } from './ceremony.ts';
import { provePasskey } from './prove.ts';
import type { PasskeyDeps } from './routes.ts';
import { PasskeyResponseInput } from './shapes.ts';
import { insertPasskeyChallenge, takePasskeyChallenge } from './store.ts';

const endpoint = endpoints(codedEnvelope);

export type PasskeyLogInDeps = PasskeyDeps & MobileDeps;

/** Log-ins of devices by a passkey, which is both factors at once. */
export const passkeyLogInRoutes = (deps: PasskeyLogInDeps): Route[] => [
  optionsRoute(deps),
  logInRoute(deps),
];

const optionsRoute = (deps: PasskeyLogInDeps): Route =>
  endpoint('POST /mobile/passkeys/login-options', {
    name: 'passkeys.beginLogIn',
    auth: 'key',
    summary: 'What the browser or phone is asked for a log-in by passkey',
    body: Nothing,
    reply: { 200: stamped({ data: Type.Object({ challenge_id: Uuid, options: Json }) }) },
    fault: 'Failed to begin the log-in',
    async handler({ caller, db, request }) {
      const [challenge_id, challenge] = [randomUUID(), randomBytes(32)];
      const expires_at = new Date(deps.clock.now().getTime() + PASSKEY_MS);
      const asker = requesterMark(requesterOf(caller, request));
      const asked = { challenge_id, challenge, asker, user_id: null, expires_at };
      await insertPasskeyChallenge(db, { ...asked, purpose: 'log-in' });
      const options: unknown = await assertionOptions(relyingPartyOf(deps), challenge);
      return { data: { challenge_id, options } };
    },
  });

const logInRoute = (deps: PasskeyLogInDeps): Route =>
  endpoint('POST /mobile/passkeys/login', {
    name: 'passkeys.logIn',
    auth: 'key',
    errors: [
      ...(['PASSKEY_UNKNOWN', 'DEVICE_PROOF_INVALID'] as const),
      ...(['ACCOUNT_NOT_ACTIVE', 'DEVICE_LIMIT_REACHED'] as const),
    ],
    summary: 'Logs a device in by a passkey, which is both factors at once',
    body: Type.Object({
      challenge_id: Uuid,
      response: PasskeyResponseInput,
      device: DeviceInput,
    }),
    reply: { 200: stamped({ data: DeviceLoggedIn }) },
    fault: 'Login failed',
    async handler({ caller: { key }, body, db, request }) {
      const proof = await readDeviceProof(deps, request, '/mobile/passkeys/login');
      await requireOwnKey(body.device, proof);
      const entering = { key, request, proof };
      const asker = requesterMark(requesterOf({ key }, request));
      const challenge_id = body.challenge_id.toLowerCase();
      const client = deps.config.MOCK_MODE ? undefined : clientOfKey(key);
      const done = await decide(db, async (tx): Promise<DeviceLogIn | AppError> => {
        const taken = { challenge_id, purpose: 'log-in', asker, user_id: null } as const;
        const challenge = await takePasskeyChallenge(tx, taken);
        if (!challenge) return unknownPasskey();
        const passkey = await provePasskey(deps, tx, {
          challenge,
          response: body.response,
          isMeant: ({ client_id }) => (client ?? client_id) === client_id,
        });
        if (passkey instanceof AppError) return passkey;
        const { user_id } = passkey;
        const owner = await lockOwner(tx, user_id);
        const login = await findLogin(tx, user_id, deps.clock.now());
        if (!owner || !login) return unknownPasskey();
        refuseInactive(login, owner.user_status);
        await useDeviceProof(tx, proof);
        return enterDevice(deps, tx, entering, { login, device: keptDevice(body.device) });
      });
      return { data: loggedInOf(done) };
    },
  });
