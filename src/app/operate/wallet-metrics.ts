import { setTimeout as pause } from 'node:timers/promises';
import type { MeasuredChain } from '#chains/port.ts';
import { monotonicMs } from '#kernel/clock.ts';
import type { Metrics } from '#kernel/metrics.ts';

/** Age up to which balances serve further requests for metrics. */
const FRESH_MS = 60_000;
const PATIENCE_MS = 3_000;

interface Balance {
  readonly labels: { readonly chain: string; readonly wallet: string; readonly asset: string };
  readonly value: number;
}

/** Gauge of the platform's own wallets on the chains in use, which pay for what they sign. */
export function measureWallets(metrics: Metrics, chains: readonly MeasuredChain[]): void {
  let kept: { readonly at: number; readonly read: Promise<Balance[]> } | undefined;
  metrics.gauge(
    'archipay_hot_wallet_balance',
    'What the platform’s own wallets have on chain, in whole coins',
    ['chain', 'wallet', 'asset'],
    () => {
      if (kept === undefined || monotonicMs() - kept.at >= FRESH_MS) {
        const read = chains.filter((chain) => chain.isRunning()).map(balancesOf);
        kept = { at: monotonicMs(), read: Promise.all(read).then((all) => all.flat()) };
      }
      return kept.read;
    },
  );
}

/** An unreachable or slow chain has no balances here; `archipay_chain_up` reports it. */
async function balancesOf(chain: MeasuredChain): Promise<Balance[]> {
  const late = pause(PATIENCE_MS, undefined, { ref: false });
  const answer = await Promise.race([chain.ownBalances(), late]);
  if (answer?.kind !== 'done') return [];
  return answer.value.map(({ wallet, asset, amount: value }) => ({
    labels: { chain: chain.key, wallet, asset },
    value,
  }));
}
