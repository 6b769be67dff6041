import { setTimeout as pause } from 'node:timers/promises';
import type { Chain } from '#chains/port.ts';
import { monotonicMs } from '#kernel/clock.ts';
import type { Metrics } from '#kernel/metrics.ts';

/** So long balances are told again, however often somebody asks for the metrics. */
const FRESH_MS = 60_000;
const PATIENCE_MS = 3_000;

interface Balance {
  readonly labels: { readonly chain: string; readonly wallet: string; readonly asset: string };
  readonly value: number;
}

/** What the platform's own wallets have on the chains in use: who signs has to pay. */
export function measureWallets(metrics: Metrics, chains: readonly Chain[]): void {
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

/** Nothing of a chain that is away or late: `archipay_chain_up` says so. */
async function balancesOf(chain: Chain): Promise<Balance[]> {
  const late = pause(PATIENCE_MS, undefined, { ref: false });
  const told = await Promise.race([chain.ownBalances(), late]);
  if (told?.kind !== 'done') return [];
  return told.value.map(({ wallet, asset, amount: value }) => ({
    labels: { chain: chain.key, wallet, asset },
    value,
  }));
}
