import { type EvmFollower, followEvents } from '#chains/evm/following/port.ts';
import { CHAIN_KEYS, type ChainKey } from '#chains/evm/port.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { MarketDeps } from '../deps.ts';
import { isAnyUnpaid, oldestUnpaid } from './chain-store.ts';

type WatchDeps = Pick<MarketDeps, 'db' | 'clock' | 'log' | 'evm'>;

/** Polls the chains for payments. */
export interface MarketplaceWatch {
  readonly schedule: Schedule;
  /** Polls one chain now. An unreachable chain is not reported to the caller. */
  poll(chain: ChainKey, signal?: AbortSignal): Promise<void>;
}

/** Poll interval while no order awaits payment; payments seen then are late. */
const QUIET_MS = 60_000;

/** Every five seconds where an order awaits payment; one run at a time over all processes. */
export function createWatch(deps: WatchDeps, follower: EvmFollower): MarketplaceWatch {
  const { db, clock, log, evm } = deps;
  const polledAt = new Map<ChainKey, number>();
  const away = new Set<ChainKey>();

  async function poll(key: ChainKey, signal?: AbortSignal): Promise<void> {
    try {
      await followEvents(deps, follower, evm.chains[key], { signal });
      away.delete(key);
    } catch (err) {
      if (!away.has(key)) log.warn({ chain: key, err }, 'The payments of a chain are not followed');
      away.add(key);
    }
  }

  /** A node of our own is started only for an order that awaits payment. */
  async function isDue(key: ChainKey): Promise<boolean> {
    const chain = evm.chains[key];
    // Working out the contract's address is expensive, so only where there is an unpaid order.
    if (await isAnyUnpaid(db, key))
      if (await oldestUnpaid(db, key, chain.contracts.marketplace)) return true;
    return chain.isRunning() && clock.now().getTime() - (polledAt.get(key) ?? 0) >= QUIET_MS;
  }

  async function pollIfDue(key: ChainKey, signal: AbortSignal): Promise<void> {
    if (!(await isDue(key))) return;
    polledAt.set(key, clock.now().getTime());
    await poll(key, signal);
  }

  return {
    poll,
    schedule: defineSchedule({
      name: 'marketplace.watch',
      cron: '*/5 * * * * *',
      attempts: 1,
      // An unreachable chain delays neither the others nor the next poll.
      run: async ({ signal }) => {
        await Promise.all(CHAIN_KEYS.map((key) => pollIfDue(key, signal)));
      },
    }),
  };
}
