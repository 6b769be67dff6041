import { type EvmFollower, follow } from '#chains/evm/following/port.ts';
import { CHAIN_KEYS, type ChainKey } from '#chains/evm/port.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { MarketDeps } from '../deps.ts';
import { isAnyUnpaid, oldestUnpaid } from './chain-store.ts';

type WatchDeps = Pick<MarketDeps, 'db' | 'clock' | 'log' | 'evm'>;

/** Looks at what was paid on the chains. */
export interface MarketplaceWatch {
  readonly schedule: Schedule;
  /** Now, at one chain. One that is away is no fault of whoever asks. */
  look(chain: ChainKey, signal?: AbortSignal): Promise<void>;
}

/** How often a chain is looked at where nobody is to pay anything: what comes then is late. */
const QUIET_MS = 60_000;

/** Every few seconds where people wait for their payment to be seen; one run at a time over all processes. */
export function createWatch(deps: WatchDeps, follower: EvmFollower): MarketplaceWatch {
  const { db, clock, log, evm } = deps;
  const lookedAt = new Map<ChainKey, number>();
  const away = new Set<ChainKey>();

  async function look(key: ChainKey, signal?: AbortSignal): Promise<void> {
    try {
      await follow(deps, follower, evm.chains[key], { signal });
      away.delete(key);
    } catch (err) {
      if (!away.has(key)) log.warn({ chain: key, err }, 'The payments of a chain are not followed');
      away.add(key);
    }
  }

  /** A node of our own is started for somebody who waits, and for nothing else. */
  async function isDue(key: ChainKey): Promise<boolean> {
    const chain = evm.chains[key];
    // The address of a contract is worked out when it is asked for, which is dear: not at every start.
    if (await isAnyUnpaid(db, key))
      if (await oldestUnpaid(db, key, chain.contracts.marketplace)) return true;
    return chain.isRunning() && clock.now().getTime() - (lookedAt.get(key) ?? 0) >= QUIET_MS;
  }

  async function lookIfDue(key: ChainKey, signal: AbortSignal): Promise<void> {
    if (!(await isDue(key))) return;
    lookedAt.set(key, clock.now().getTime());
    await look(key, signal);
  }

  return {
    look,
    schedule: defineSchedule({
      name: 'marketplace.watch',
      cron: '*/5 * * * * *',
      attempts: 1,
      // A chain that is away keeps neither the others nor the next look from it.
      run: async ({ signal }) => {
        await Promise.all(CHAIN_KEYS.map((key) => lookIfDue(key, signal)));
      },
    }),
  };
}
