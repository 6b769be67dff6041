import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { DAY_MS } from '#kernel/quota/quota.ts';
import { isKnownAddress } from './store.ts';

/** A day and user: what strangers are mailed by one person has an end. */
const NEW_ADDRESSES_MAX = 20;

type Deps = Pick<Kernel, 'clock' | 'quotas'>;

/** Counts an address that the user has never sent money to. Throws LIMIT_EXCEEDED with 429. */
export async function countAddress(
  deps: Deps,
  tx: Db,
  caller: Pick<UserCaller, 'user_id' | 'client_id'>,
  address: string,
): Promise<void> {
  if (await isKnownAddress(tx, caller.user_id, address)) return;
  await countDaily(deps, tx, caller, {
    limit_id: 'new_addresses',
    words: 'Too many new addresses today',
    most: NEW_ADDRESSES_MAX,
  });
}

interface DayLimit {
  readonly limit_id: string;
  readonly words: string;
  readonly most: number;
}

/** Counts one of what a user may do so often in a day. Throws LIMIT_EXCEEDED with 429. */
export async function countDaily(
  deps: Deps,
  tx: Db,
  caller: Pick<UserCaller, 'user_id' | 'client_id'>,
  { limit_id, words, most }: DayLimit,
): Promise<void> {
  const subject = `${limit_id.replaceAll('_', ' ')} by actor/1440m user:${caller.user_id}`;
  const usedUp = await deps.quotas.take(tx, [{ subject, most, withinMs: DAY_MS }], caller);
  if (usedUp === undefined) return;
  const resets_at = new Date(deps.clock.ms() + usedUp.retryAfter * 1000).toISOString();
  const limit = String(most);
  throw fail('LIMIT_EXCEEDED', words, {
    status: 429,
    retryAfter: usedUp.retryAfter,
    details: { limit_id, limit, used: limit, currency: null, resets_at },
  });
}
