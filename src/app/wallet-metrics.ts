import { setTimeout as pause } from 'node:timers/promises';
import { type EvmChain, type EvmNetwork, readBalances } from '#chains/evm/port.ts';
import { monotonicMs } from '#kernel/clock.ts';
import type { Metrics } from '#kernel/metrics.ts';

/** So long balances are told again, however often somebody asks for the metrics. */
const FRESH_MS = 60_000;
const PATIENCE_MS = 3_000;
const COIN = 1e18;
const TOKEN = 1e6;

interface Balance {
  readonly labels: { readonly chain: string; readonly wallet: string; readonly asset: string };
  readonly value: number;
}

/** What the platform's own wallets have on the EVM chains in use: who signs has to pay. */
export function measureWallets(metrics: Metrics, evm: EvmNetwork): void {
  let kept: { readonly at: number; readonly read: Promise<Balance[]> } | undefined;
  metrics.gauge(
    'archipay_hot_wallet_balance',
    'What the platform’s own wallets have on chain, in whole coins',
    ['chain', 'wallet', 'asset'],
    () => {
      if (kept === undefined || monotonicMs() - kept.at >= FRESH_MS) {
        const used = Object.entries(evm.chains).filter(([, chain]) => chain.isRunning());
        const read = used.map(([key, chain]) => balancesOf(evm, key, chain));
        kept = { at: monotonicMs(), read: Promise.all(read).then((all) => all.flat()) };
      }
      return kept.read;
    },
  );
}

/** Nothing of a chain that is away or late: `archipay_chain_up` says so. */
async function balancesOf(evm: EvmNetwork, key: string, chain: EvmChain): Promise<Balance[]> {
  const late = pause(PATIENCE_MS, [] as Balance[], { ref: false });
  const wallets = ['hot', 'relayer', 'treasury'] as const;
  const reading = Promise.all(
    wallets.map(async (wallet) => {
      const { usdc } = chain.contracts;
      const { native, tokens } = await readBalances(chain, evm.keys[wallet].address, [usdc]);
      return [
        { labels: { chain: key, wallet, asset: 'native' }, value: Number(native) / COIN },
        { labels: { chain: key, wallet, asset: 'USDC' }, value: Number(tokens[0] ?? 0n) / TOKEN },
      ];
    }),
  );
  return Promise.race([reading.then((all) => all.flat()).catch(() => []), late]);
}
