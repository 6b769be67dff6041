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
  const { user_id } = caller;
  const quota = {
    subject: `new addresses by actor/1440m user:${user_id}`,
    most: NEW_ADDRESSES_MAX,
    withinMs: DAY_MS,
  };
  const usedUp = await deps.quotas.take(tx, [quota], caller);
  if (usedUp === undefined) return;
  const resets = new Date(deps.clock.ms() + usedUp.retryAfter * 1000).toISOString();
  const limit = String(NEW_ADDRESSES_MAX);
  throw fail('LIMIT_EXCEEDED', 'Too many new addresses today', {
    status: 429,
    retryAfter: usedUp.retryAfter,
    details: {
      limit_id: 'new_addresses',
      limit,
      used: limit,
      currency: null,
      resets_at: resets,
    },
  });
}
