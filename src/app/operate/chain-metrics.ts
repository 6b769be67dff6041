import { setTimeout as pause } from 'node:timers/promises';
import type { Head, MeasuredChain } from '#chains/port.ts';
import { monotonicMs } from '#kernel/clock.ts';
import type { Kernel } from '#kernel/kernel.ts';

/** Age up to which an answer serves further requests for metrics. */
const FRESH_MS = 20_000;
/** A chain that answers later counts as unreachable. */
const PATIENCE_MS = 2_000;

/** State of a chain that this process uses. */
interface Seen {
  readonly chain: MeasuredChain;
  readonly head: Head | undefined;
}

/** Gauges of the chains in use: whether each answers, its height, and the age of its newest block. */
export function measureChains(
  { metrics, clock }: Pick<Kernel, 'metrics' | 'clock'>,
  chains: readonly MeasuredChain[],
): void {
  const look = looker(chains);
  const each = (name: string, help: string, figureOf: (seen: Seen) => number | undefined) =>
    metrics.gauge(name, help, ['chain'], async () =>
      (await look()).flatMap((seen) => {
        const value = figureOf(seen);
        return value === undefined ? [] : [{ labels: { chain: seen.chain.key }, value }];
      }),
    );
  each('archipay_chain_up', 'Whether a chain in use answers', ({ head }) => (head ? 1 : 0));
  each('archipay_chain_height', 'Its newest block', ({ head }) => head?.height);
  // Nodes of our own make a block only for a transaction.
  each('archipay_chain_lag_seconds', 'Age of the newest block', ({ chain, head }) =>
    chain.isOwn || head === undefined
      ? undefined
      : Math.max(0, clock.seconds() - Math.floor(head.at.getTime() / 1000)),
  );
}

function looker(chains: readonly MeasuredChain[]): () => Promise<Seen[]> {
  let kept: { readonly at: number; readonly seen: Promise<Seen[]> } | undefined;
  return () => {
    if (kept === undefined || monotonicMs() - kept.at >= FRESH_MS) {
      const used = chains.filter((chain) => chain.isRunning());
      kept = { at: monotonicMs(), seen: Promise.all(used.map(seenOf)) };
    }
    return kept.seen;
  };
}

async function seenOf(chain: MeasuredChain): Promise<Seen> {
  const late = pause(PATIENCE_MS, undefined, { ref: false });
  const answer = await Promise.race([chain.head(), late]);
  return { chain, head: answer?.kind === 'done' ? answer.value : undefined };
}
