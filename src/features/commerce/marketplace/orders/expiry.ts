import { caughtUpAt } from '#chains/evm/following/port.ts';
import { logActivities } from '#features/messaging/activity/activity.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import type { MarketDeps } from '../deps.ts';
import { cancelExpired, type ExpiringOrder, expiringContracts } from './chain-store.ts';
import { emitOrder } from './events.ts';
import { FOLLOWER } from './follow.ts';

const AT_ONCE = 500;

type ExpiryDeps = Pick<MarketDeps, 'db' | 'clock' | 'evm'>;

/** Cancels orders that were not paid in time, in batches. */
export const expirySchedule = (deps: ExpiryDeps): Schedule =>
  defineSchedule({
    name: 'marketplace.expire',
    cron: '* * * * *',
    run: ({ signal }) => expire(deps, signal),
  });

/** An order stays open while its chain is not read up to its deadline. */
async function expire(deps: ExpiryDeps, signal: AbortSignal): Promise<void> {
  const { db, evm, clock } = deps;
  const now = clock.now();
  for (const { chain_id, contract } of await expiringContracts(db, now)) {
    const isFollowed = evm.chains[chain_id]?.contracts.marketplace === contract;
    const knownUntil = isFollowed
      ? await caughtUpAt(db, { follower: FOLLOWER, chain: chain_id, contract })
      : now;
    if (knownUntil) await expireAt(deps, { chain_id, contract, knownUntil, now }, signal);
  }
}

async function expireAt(
  { db }: ExpiryDeps,
  expiring: ExpiringOrder,
  signal: AbortSignal,
): Promise<void> {
  for (let ended = AT_ONCE; ended === AT_ONCE && !signal.aborted; )
    ended = await transact(db, async (tx) => {
      const orders = await cancelExpired(tx, expiring, AT_ONCE);
      for (const order of orders) emitOrder(tx, 'cancelled', order);
      await logActivities(
        tx,
        orders.map(({ order_id, user_id, client_id }) => ({
          action: 'MARKETPLACE_ORDER_EXPIRED',
          actor: null,
          client_id,
          subject_user_id: user_id,
          details: { order_id },
        })),
      );
      return orders.length;
    });
}
