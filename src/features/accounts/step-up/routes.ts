import { Type } from 'typebox';
import {
  type PasskeyProofDeps,
  type PasskeyResponse,
  PasskeyResponseInput,
  provePasskey,
} from '#features/accounts/passkeys/passkeys.ts';
import { decide } from '#kernel/access/attempts.ts';
import type { FreshProof, SentProof } from '#kernel/access/fresh-proof.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError, fail, wrongField } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import { explained, stamped, Timestamp, text } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { readChallenge, STEP_UP_MS, type StepUpChallenge } from '#kernel/policies/step-up.ts';
import { insertStepUp, type StepUpMethod } from '#kernel/policies/step-up-store.ts';
import { transact } from '#kernel/transact.ts';
import { hasSecondFactor } from './store.ts';

const endpoint = endpoints(codedEnvelope);

export type StepUpDeps = PasskeyProofDeps &
  Pick<Kernel, 'clock' | 'vault'> & { readonly freshProof: FreshProof };

/** A user proves to be there, for one operation. */
export const stepUpRoute = (deps: StepUpDeps): Route =>
  endpoint('POST /step-up', {
    name: 'stepUp.prove',
    auth: 'user',
    errors: [
      ...(['INVALID_PASSWORD', 'INVALID_CODE', 'CODE_EXPIRED', 'TOKEN_INVALID'] as const),
      ...(['FRESH_LOGIN_REQUIRED', 'RATE_LIMITED', 'PASSKEY_UNKNOWN'] as const),
    ],
    summary: 'Proves that it is you, for one operation that a policy asks a proof for',
    body: Type.Object({
      challenge_id: explained(text(200), 'Of the answer STEP_UP_REQUIRED'),
      response: Type.Optional(PasskeyResponseInput),
      two_fa_token: Type.Optional(text(32)),
      current_password: Type.Optional(text(1024)),
    }),
    reply: {
      200: stamped({
        data: Type.Object({
          proven_until: explained(Timestamp, 'The call has to be repeated before'),
        }),
      }),
    },
    fault: 'Failed to prove it',
    async handler({ caller, body, request, db }) {
      const { clock, vault, freshProof } = deps;
      const { challenge_id, response, ...sent } = body;
      const challenge = readChallenge(vault, challenge_id);
      const now = clock.now();
      if (challenge?.user_id !== caller.user_id)
        throw wrongField('challenge_id', 'is no challenge of yours');
      if (challenge.expires <= now) throw fail('CODE_EXPIRED', 'The challenge has expired');
      const proven_until = new Date(now.getTime() + STEP_UP_MS);
      const facts = { challenge_id, user_id: caller.user_id, proven_until };
      if (response) {
        if (sent.two_fa_token !== undefined || sent.current_password !== undefined)
          throw wrongField('response', 'stands for any other proof');
        const signed = { challenge, response, facts };
        await decide(db, (tx) => keepSigned(deps, tx, signed));
        return { data: { proven_until: proven_until.toISOString() } };
      }
      const method = await methodOf(db, caller, sent);
      const verified = await freshProof.verify(db, { caller, request }, sent);
      const proof = { ...facts, method };
      // It commits also where the proof is refused: that was counted.
      const refusal = await transact(
        db,
        async (tx) => (await verified(tx)) ?? (await keep(tx, challenge, proof)),
      );
      if (refusal) throw refusal;
      return { data: { proven_until: proven_until.toISOString() } };
    },
  });

interface Signed {
  readonly challenge: StepUpChallenge;
  readonly response: PasskeyResponse;
  readonly facts: Omit<Parameters<typeof insertStepUp>[1], 'content_hash' | 'method'>;
}

/** A passkey of the user has signed the hash of what is paid; what it signed is kept with the proof. */
async function keepSigned(
  deps: StepUpDeps,
  tx: Db,
  { challenge, response, facts }: Signed,
): Promise<AppError | undefined> {
  const { content_hash } = challenge;
  const passkey = await provePasskey(deps, tx, {
    challenge: content_hash,
    response,
    isMeant: ({ user_id }) => user_id === facts.user_id,
  });
  if (passkey instanceof AppError) return passkey;
  const { passkey_id, public_key } = passkey;
  const evidence = { passkey_id, public_key: public_key.toString('base64url'), response };
  return keep(tx, challenge, { ...facts, method: 'passkey', evidence });
}

/** How the caller proves it: by the second factor, where there is one. */
async function methodOf(
  db: Db,
  { user_id }: UserCaller,
  { two_fa_token, current_password }: SentProof,
): Promise<StepUpMethod> {
  if ((two_fa_token === undefined) === (current_password === undefined))
    throw wrongField('two_fa_token', 'or current_password is required, and not both');
  if (two_fa_token !== undefined) return 'two_factor';
  if (await hasSecondFactor(db, user_id))
    throw wrongField('two_fa_token', 'is required of users with a second factor');
  return 'password';
}

async function keep(
  tx: Db,
  { content_hash }: StepUpChallenge,
  proof: Omit<Parameters<typeof insertStepUp>[1], 'content_hash'>,
): Promise<AppError | undefined> {
  if (await insertStepUp(tx, { ...proof, content_hash })) return undefined;
  return fail('CODE_EXPIRED', 'The challenge was answered before');
}
