import { randomBytes, randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { decide } from '#kernel/access/attempts.ts';
import { type FreshProof, PROOF } from '#kernel/access/fresh-proof.ts';
import { requesterMark, requesterOf } from '#kernel/access/requester.ts';
import { requireUser } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail, wrongField } from '#kernel/error.ts';
import { cursorPage } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import {
  at,
  endpoints,
  type RequestFacts,
  type Route,
  type UserCaller,
} from '#kernel/http/declare/route.ts';
import { Json, stamped, Uuid } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { newObjectUuid } from '#kernel/object-id.ts';
import { PASSKEY_MS, registrationOptions, relyingPartyOf, verifyRegistration } from './ceremony.ts';
import { emitPasskey } from './events.ts';
import type { PasskeyProofDeps } from './prove.ts';
import { PasskeyName, PasskeyResponseInput, ShownPasskey, shownPasskey } from './shapes.ts';
import {
  deletePasskey,
  insertPasskey,
  insertPasskeyChallenge,
  lockPasskeyOwner,
  type PasskeyRow,
  passkeysOf,
  renamePasskey,
  takePasskeyChallenge,
} from './store.ts';

const PASSKEYS_MAX = 20;

export type PasskeyDeps = PasskeyProofDeps &
  Pick<Kernel, 'db' | 'clock' | 'config' | 'vault'> & { readonly freshProof: FreshProof };

const endpoint = endpoints(codedEnvelope);
const One = stamped({ data: ShownPasskey });
const params = Type.Object({ passkey_id: objectIdInput('pky') });
const PROOF_ERRORS = ['INVALID_PASSWORD', 'INVALID_CODE', 'FRESH_LOGIN_REQUIRED'] as const;
const unknown = () => fail('NOT_FOUND', 'Passkey not found');

/** Users add, name and remove passkeys. */
export const passkeyRoutes = (deps: PasskeyDeps): Route[] => [
  optionsRoute(deps),
  addRoute(deps),
  listRoute,
  renameRoute,
  deleteRoute(deps),
];

const askerOf = (caller: UserCaller, request: RequestFacts): string =>
  requesterMark(requesterOf(caller, request));

const optionsRoute = (deps: PasskeyDeps): Route =>
  endpoint('POST /mobile/passkeys/registration-options', {
    name: 'passkeys.getRegistrationOptions',
    auth: 'user',
    errors: [...PROOF_ERRORS, '409 LIMIT_EXCEEDED', 'TOKEN_INVALID'],
    summary: 'What the browser or phone is asked for a new passkey; needs a proof',
    body: Type.Object(PROOF),
    reply: { 200: stamped({ data: Type.Object({ challenge_id: Uuid, options: Json }) }) },
    fault: 'Failed to begin with the passkey',
    async handler({ caller, body, db, request }) {
      const { user_id } = caller;
      const proof = await deps.freshProof.verify(db, { caller, request }, body);
      const [challenge_id, challenge] = [randomUUID(), randomBytes(32)];
      const known = await decide(db, async (tx) => {
        const refusal = await proof(tx);
        if (refusal) return refusal;
        const all = await passkeysOf(tx, user_id);
        if (all.length >= PASSKEYS_MAX) return tooMany();
        const expires_at = new Date(deps.clock.now().getTime() + PASSKEY_MS);
        const asker = askerOf(caller, request);
        const asked = { challenge_id, purpose: 'register', challenge, asker, user_id } as const;
        await insertPasskeyChallenge(tx, { ...asked, expires_at });
        return all;
      });
      const { username } = await requireUser(db, {}, user_id);
      const handle = deps.vault.fingerprint(String(user_id), 'passkey handle');
      const asking = { challenge, handle, username, known };
      const options: unknown = await registrationOptions(relyingPartyOf(deps), asking);
      return { data: { challenge_id, options } };
    },
  });

const tooMany = () =>
  fail('LIMIT_EXCEEDED', `A user has at most ${PASSKEYS_MAX} passkeys`, { status: 409 });

const addRoute = (deps: PasskeyDeps): Route =>
  endpoint('POST /mobile/passkeys', {
    name: 'passkeys.create',
    auth: 'user',
    errors: ['CODE_EXPIRED', '409 LIMIT_EXCEEDED'],
    summary: 'Adds the passkey that the browser or phone has made',
    body: Type.Object({ challenge_id: Uuid, response: PasskeyResponseInput, name: PasskeyName }),
    reply: { 201: One },
    fault: 'Failed to add the passkey',
    async handler({ caller, body, db, request }) {
      const { name, response } = body;
      const { user_id, client_id } = caller;
      const challenge_id = body.challenge_id.toLowerCase();
      const asker = askerOf(caller, request);
      const row = await decide(db, async (tx): Promise<PasskeyRow | AppError> => {
        const taken = { challenge_id, purpose: 'register', asker, user_id } as const;
        const challenge = await takePasskeyChallenge(tx, taken);
        if (!challenge)
          return fail('CODE_EXPIRED', 'The challenge was answered before, or expired');
        const made = await verifyRegistration(relyingPartyOf(deps), challenge, response);
        if (!made) return wrongField('response', 'is no passkey for this challenge');
        await lockPasskeyOwner(tx, user_id);
        if ((await passkeysOf(tx, user_id)).length >= PASSKEYS_MAX) return tooMany();
        const passkey_id = newObjectUuid(deps.clock.now().getTime());
        const added = await insertPasskey(tx, { passkey_id, client_id, user_id, name, ...made });
        if (!added) return wrongField('response', 'is a passkey that is known already');
        await tellChange(deps, tx, { verb: 'added', row: added, caller, request });
        return added;
      });
      return at(201, { data: shownPasskey(row) });
    },
  });

interface PasskeyChange {
  readonly verb: 'added' | 'removed';
  readonly row: PasskeyRow;
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

async function tellChange(
  { notices }: Pick<PasskeyDeps, 'notices'>,
  tx: Db,
  { verb, row, caller, request }: PasskeyChange,
): Promise<void> {
  emitPasskey(tx, verb, row);
  const action = verb === 'added' ? 'PASSKEY_ADDED' : 'PASSKEY_REMOVED';
  await logActivity(tx, { action, actor: caller, details: { name: row.name }, request });
  await notices.sendDue(tx, row.user_id);
}

const listRoute = endpoint('GET /mobile/passkeys', {
  name: 'passkeys.list',
  auth: 'user',
  summary: 'Lists the passkeys, newest first; there are twenty at most',
  reply: { 200: stamped({ data: cursorPage(ShownPasskey) }) },
  fault: 'Failed to list passkeys',
  async handler({ caller, db }) {
    const items = (await passkeysOf(db, caller.user_id)).map(shownPasskey);
    return { data: { items, next_cursor: null } };
  },
});

const renameRoute = endpoint('PATCH /mobile/passkeys/{passkey_id}', {
  name: 'passkeys.update',
  auth: 'user',
  errors: ['NOT_FOUND'],
  summary: 'Gives a passkey another name',
  params,
  body: Type.Object({ name: PasskeyName }),
  reply: { 200: One },
  atomic: true,
  fault: 'Failed to rename the passkey',
  async handler({ caller, params, body, db }) {
    const row = await renamePasskey(db, caller.user_id, params.passkey_id, body.name);
    if (!row) throw unknown();
    return { data: shownPasskey(row) };
  },
});

const deleteRoute = (deps: PasskeyDeps): Route =>
  endpoint('DELETE /mobile/passkeys/{passkey_id}', {
    name: 'passkeys.delete',
    auth: 'user',
    errors: ['NOT_FOUND', ...PROOF_ERRORS, 'TOKEN_INVALID'],
    summary: 'Removes a passkey; needs a proof',
    params,
    body: Type.Object(PROOF),
    reply: { 200: One },
    fault: 'Failed to remove the passkey',
    async handler({ caller, params, body, db, request }) {
      const proof = await deps.freshProof.verify(db, { caller, request }, body);
      const row = await decide(db, async (tx): Promise<PasskeyRow | AppError> => {
        const refusal = await proof(tx);
        if (refusal) return refusal;
        const gone = await deletePasskey(tx, caller.user_id, params.passkey_id);
        if (!gone) return unknown();
        await tellChange(deps, tx, { verb: 'removed', row: gone, caller, request });
        return gone;
      });
      return { data: shownPasskey(row) };
    },
  });
