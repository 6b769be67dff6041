import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../db/db.ts';
import { canonicalJson } from '../http/answer/canonical.ts';
import { format } from '../money/money.ts';
import type { Vault } from '../secrets/vault.ts';
import type { PolicyOperation } from './operation.ts';
import { useStepUp } from './step-up-store.ts';

/** A challenge is answered, and the call repeated, within this time. */
export const STEP_UP_MS = 5 * 60_000;

const NONCE_BYTES = 16;
const HASH_BYTES = 32;
const CONTEXT = 'step-up challenge';

type Challenged = Pick<PolicyOperation, 'kind' | 'amount' | 'recipient' | 'user_id'>;

/** What a challenge is for, as the person is asked about it. */
const stepUpSummary = ({ kind, amount, recipient }: Challenged) => ({
  operation: kind,
  amount: format(amount),
  currency: amount.asset,
  recipient: recipient?.id ?? null,
});

/** SHA-256 of the operation and the challenge's nonce: another amount or recipient has another. */
const contentHash = (of: Challenged, nonce: Buffer): Buffer =>
  createHash('sha256')
    .update(canonicalJson({ ...stepUpSummary(of), nonce: nonce.toString('base64url') }))
    .digest();

type Sealing = Pick<Vault, 'fingerprint'>;

/**
 * A new challenge. It is nowhere stored: the transaction that asks for it is rolled back. It says itself what it is
 * for and how long it holds, under our mark.
 */
function newChallenge(vault: Sealing, of: Challenged, now: Date): string {
  const nonce = randomBytes(NONCE_BYTES);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(of.user_id, 0);
  head.writeUInt32BE(Math.floor((now.getTime() + STEP_UP_MS) / 1000), 4);
  const body = Buffer.concat([head, nonce, contentHash(of, nonce)]);
  return Buffer.concat([body, vault.fingerprint(body, CONTEXT)]).toString('base64url');
}

/** What a user has to prove an operation with. */
export interface StepUpMeans {
  readonly has_factor: boolean;
  readonly has_password: boolean;
  readonly has_passkey: boolean;
}

/** The details of STEP_UP_REQUIRED: what may be sent to `POST /step-up`, and what a passkey signs. */
export function stepUpChallenge(
  vault: Sealing,
  of: Challenged,
  { has_factor, has_password, has_passkey }: StepUpMeans,
  now: Date,
) {
  const challenge_id = newChallenge(vault, of, now);
  const password = has_password ? ['current_password'] : [];
  const known = has_factor ? ['two_fa_token'] : password;
  const options = has_passkey ? ['response', ...known] : known;
  const challenge = readChallenge(vault, challenge_id)?.content_hash.toString('base64url');
  const signed = has_passkey && challenge !== undefined ? { challenge } : {};
  return { challenge_id, options, ...signed, summary: stepUpSummary(of) };
}

export interface StepUpChallenge {
  readonly user_id: number;
  readonly expires: Date;
  readonly nonce: Buffer;
  readonly content_hash: Buffer;
}

const BODY_BYTES = 8 + NONCE_BYTES + HASH_BYTES;

/** Reads a challenge of ours; undefined for any other text. */
export function readChallenge(vault: Sealing, challenge_id: string): StepUpChallenge | undefined {
  const bytes = Buffer.from(challenge_id, 'base64url');
  if (bytes.length !== BODY_BYTES + HASH_BYTES || bytes.toString('base64url') !== challenge_id)
    return undefined;
  const body = bytes.subarray(0, BODY_BYTES);
  if (!vault.fingerprint(body, CONTEXT).equals(bytes.subarray(BODY_BYTES))) return undefined;
  return {
    user_id: body.readUInt32BE(0),
    expires: new Date(body.readUInt32BE(4) * 1000),
    nonce: body.subarray(8, 8 + NONCE_BYTES),
    content_hash: body.subarray(8 + NONCE_BYTES),
  };
}

/** Whether that user has proven exactly this operation; the proof is used up. */
export async function isProven(
  tx: Db,
  { vault, now }: { readonly vault: Sealing; readonly now: Date },
  of: Challenged,
  challenge_id: string,
): Promise<boolean> {
  const challenge = readChallenge(vault, challenge_id);
  if (challenge?.user_id !== of.user_id) return false;
  if (!contentHash(of, challenge.nonce).equals(challenge.content_hash)) return false;
  return (await useStepUp(tx, { challenge_id, user_id: of.user_id, now })) !== undefined;
}
