import { type Requester, requesterMark } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { putProof, takeProof } from './code-store.ts';

/** The purpose of log-in codes, where a proven number is required. */
export const LOG_IN = 'login';
const PROVEN_MS = 10 * 60_000;

type ProvenDeps = Pick<Kernel, 'clock'>;

/** A code has proven the number; for ten minutes it allows one log-in of the same requester. */
export async function keepProven(
  tx: Db,
  { clock }: ProvenDeps,
  phone: string,
  prover: Requester,
): Promise<void> {
  const expires_at = new Date(clock.now().getTime() + PROVEN_MS).toISOString();
  await putProof(tx, { phone, asker: requesterMark(prover), expires_at });
}

/** Uses the proof up. AUTHENTICATION_FAILED without one of the same API key and network. */
export async function takeProven(
  tx: Db,
  { clock }: ProvenDeps,
  phone: string,
  prover: Requester,
): Promise<void> {
  const taken = await takeProof(tx, { phone, asker: requesterMark(prover) }, clock.now());
  if (!taken)
    throw fail('AUTHENTICATION_FAILED', 'Verify the phone number with a one-time code first');
}
