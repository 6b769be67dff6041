import { networkOf } from '#kernel/access/network.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/http/error.ts';
import type { Kernel } from '#kernel/kernel.ts';

/** The purpose of codes that let people in, where a proven number is asked for. */
export const LOG_IN = 'login';
/** Kept among the codes, under a purpose that no caller can name: theirs have no spaces. */
const PROVEN = 'log-in proven';
const PROVEN_MS = 10 * 60_000;

type ProvenDeps = Pick<Kernel, 'clock' | 'vault'>;

/** Who has proven to hold a phone, and from where: nobody else may log in by that proof. */
export interface Prover {
  readonly phone: string;
  readonly key_id: number;
  readonly ip: string;
}

const markOf = ({ vault }: ProvenDeps, { phone, key_id, ip }: Prover): Buffer =>
  vault.fingerprint(`${key_id} ${networkOf(ip)}`, `phone proven:${phone}`);

/** The number was proven by a code; for ten minutes one log-in may go by that. */
export async function keepProven(tx: Db, deps: ProvenDeps, prover: Prover): Promise<void> {
  const fresh = {
    fingerprint: markOf(deps, prover),
    expires_at: new Date(deps.clock.now().getTime() + PROVEN_MS).toISOString(),
  };
  await tx
    .insertInto('phone_codes')
    .values({ phone: prover.phone, purpose: PROVEN, ...fresh })
    .onConflict((conflict) => conflict.columns(['phone', 'purpose']).doUpdateSet(fresh))
    .execute();
}

/** Uses the proof up. AUTHENTICATION_FAILED without one of the same API key and address. */
export async function takeProven(tx: Db, deps: ProvenDeps, prover: Prover): Promise<void> {
  const taken = await tx
    .deleteFrom('phone_codes')
    .where('phone', '=', prover.phone)
    .where('purpose', '=', PROVEN)
    .where('fingerprint', '=', markOf(deps, prover))
    .where('expires_at', '>', deps.clock.now().toISOString())
    .returning('phone')
    .executeTakeFirst();
  if (!taken)
    throw fail('AUTHENTICATION_FAILED', 'Verify the phone number with a one-time code first');
}
