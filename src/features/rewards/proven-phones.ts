import { type Requester, requesterMark } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/http/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { putProof, takePhoneCode } from './code-store.ts';

/** The purpose of codes that let people in, where a proven number is asked for. */
export const LOG_IN = 'login';
/** Kept among the codes, under a purpose that no caller can name: theirs have no spaces. */
const PROVEN = 'log-in proven';
const PROVEN_MS = 10 * 60_000;

type ProvenDeps = Pick<Kernel, 'clock' | 'vault'>;

/** The number was proven by a code; for ten minutes one log-in of the same requester may go by that. */
export async function keepProven(
  tx: Db,
  { clock, vault }: ProvenDeps,
  phone: string,
  prover: Requester,
): Promise<void> {
  const asker = requesterMark(prover);
  await putProof(tx, {
    phone,
    purpose: PROVEN,
    asker,
    fingerprint: vault.fingerprint(asker, `phone proven:${phone}`),
    expires_at: new Date(clock.now().getTime() + PROVEN_MS).toISOString(),
  });
}

/** Uses the proof up. AUTHENTICATION_FAILED without one of the same API key and network. */
export async function takeProven(
  tx: Db,
  { clock }: Pick<ProvenDeps, 'clock'>,
  phone: string,
  prover: Requester,
): Promise<void> {
  const proof = { phone, purpose: PROVEN, asker: requesterMark(prover) };
  const taken = await takePhoneCode(tx, proof, clock.now());
  if (!taken)
    throw fail('AUTHENTICATION_FAILED', 'Verify the phone number with a one-time code first');
}
