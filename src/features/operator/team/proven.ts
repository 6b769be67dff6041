import { decide } from '#kernel/access/attempts.ts';
import type { SentProof } from '#kernel/access/fresh-proof.ts';
import type { Db } from '#kernel/db/db.ts';
import type { TeamDeps } from './deps.ts';
import type { TeamAct } from './invite.ts';

/**
 * Does it in one transaction with the proof that it needs at every door: a password or a code that was sent, or a
 * log-in of the last five minutes. Throws INVALID_PASSWORD, INVALID_CODE and FRESH_LOGIN_REQUIRED.
 */
export async function proven<T>(
  { freshProof, db }: TeamDeps,
  act: TeamAct,
  sent: SentProof,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const proof = await freshProof.verify(db, act, sent);
  return decide(db, async (tx) => (await proof(tx)) ?? (await work(tx)));
}
