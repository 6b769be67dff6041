import { CHAIN_KEYS, type ChainKey, type Follower, follow } from '#chains/evm/port.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { oldestUnpaid } from './chain-store.ts';
import type { MarketDeps } from './deps.ts';

type WatchDeps = Pick<MarketDeps, 'db' | 'clock' | 'log' | 'evm'>;

/** Every few seconds: people wait for their payment to be seen. One run at a time over all processes. */
export const watchSchedule = (deps: WatchDeps, follower: Follower): Schedule =>
  defineSchedule({
    name: 'marketplace.watch',
    cron: '*/5 * * * * *',
    attempts: 1,
    async run({ signal }) {
      await Promise.all(CHAIN_KEYS.map((key) => watchChain(deps, follower, key, signal)));
    },
  });

/** Looks at one chain. A chain that is away keeps neither the others nor the next look from it. */
export async function watchChain(
  deps: WatchDeps,
  follower: Follower,
  key: ChainKey,
  signal?: AbortSignal,
): Promise<void> {
  const chain = deps.evm.chains[key];
  try {
    // A node of our own is started for somebody who waits, and for nothing else.
    const isAwaited = await oldestUnpaid(deps.db, key, chain.contracts.marketplace);
    if (!isAwaited && !chain.isRunning()) return;
    await follow(deps, follower, chain, { signal });
  } catch (err) {
    deps.log.warn({ chain: key, err }, 'The payments of a chain could not be followed');
  }
}
