import type { ChainKey } from '#chains/evm/port.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { type ExecuteSendDeps, executeSend, OPEN_MS } from './execute-send.ts';
import { follow } from './follow.ts';
import { openSends, type Send } from './store.ts';

const PAGE = 50;

type EndDeps = ExecuteSendDeps & Pick<Kernel, 'log'>;

/**
 * Brings every send that is not settled as far as it can come: the chain is asked what became of it,
 * and one that nobody has signed in time is signed now.
 */
export async function endOpen(deps: EndDeps, signal: AbortSignal): Promise<void> {
  const looked: CheckedChains = new Map();
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

/** The chains that were asked in this round, and whether they answered. */
type CheckedChains = Map<ChainKey, boolean>;

/** One that cannot be ended must not keep the others from it; it stays open and is tried again. */
async function endQuietly(deps: EndDeps, send: Send, looked: CheckedChains): Promise<void> {
  const { clock, log } = deps;
  const { operation, chain_id, created_at } = send;
  try {
    if (!(await isThere(deps, chain_id, looked))) return;
    const isLate = Date.parse(created_at) < clock.now().getTime() - OPEN_MS;
    if ((await follow(deps, send)) === undefined && isLate)
      await executeSend(deps, send, { patienceMs: 0 });
  } catch (error) {
    log.warn({ operation, err: error }, 'An open send was not confirmed');
  }
}

/**
 * Looks at a chain once in a round: the journal knows what the watchdog saw, which need not have been
 * here for a while. The sends of one that does not answer wait, and keep nobody else's waiting.
 */
async function isThere(
  { evm, log }: EndDeps,
  chain: ChainKey,
  looked: CheckedChains,
): Promise<boolean> {
  const known = looked.get(chain);
  if (known !== undefined) return known;
  const answers = await evm.chains[chain].monitorOpen().then(
    () => true,
    (error: unknown) => {
      log.warn({ chain, err: error }, 'The open sends of a chain wait for it');
      return false;
    },
  );
  looked.set(chain, answers);
  return answers;
}
