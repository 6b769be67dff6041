import type { ChainKey } from '#chains/evm/chains.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { type CarryOutDeps, carryOut, OPEN_MS } from './carry-out.ts';
import { follow } from './follow.ts';
import { openSends, type Send } from './store.ts';

const PAGE = 50;

type EndDeps = CarryOutDeps & Pick<Kernel, 'log'>;

/**
 * Brings every send that is not settled as far as it can come: the chain is asked what became of it,
 * and one that nobody has signed in time is signed now.
 */
export async function endOpen(deps: EndDeps, signal: AbortSignal): Promise<void> {
  const looked = new Set<ChainKey>();
  for (let after: Send | undefined; ; ) {
    const sends = await openSends(deps.db, after, PAGE);
    for (const send of sends) {
      if (signal.aborted) return;
      await endQuietly(deps, send, looked);
    }
    after = sends.at(-1);
    if (sends.length < PAGE) return;
  }
}

/** One that cannot be ended must not keep the others from it; it stays open and is tried again. */
async function endQuietly(deps: EndDeps, send: Send, looked: Set<ChainKey>): Promise<void> {
  const { evm, clock, log } = deps;
  const { operation, chain_id, created_at } = send;
  try {
    // The journal knows what the watchdog saw, which need not have been here for a while.
    if (!looked.has(chain_id)) {
      looked.add(chain_id);
      await evm.chains[chain_id].lookAfter();
    }
    const isLate = Date.parse(created_at) < clock.now().getTime() - OPEN_MS;
    if ((await follow(deps, send)) === undefined && isLate) await carryOut(deps, send, 0);
  } catch (error) {
    log.warn({ operation, err: error }, 'An open send was not confirmed');
  }
}
