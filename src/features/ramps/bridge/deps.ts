import type { EvmNetwork, ExecutedTransaction } from '#chains/evm/port.ts';
import type { BridgeLegs, LegPlace } from '#features/chain-wallets/crosschain/crosschain.ts';
import type { QuoteSigner } from '#features/fiat/fx/fx.ts';
import type { Effect } from '#kernel/effects/effect.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { BridgeRow } from './store.ts';

/** What the bridge is made of. */
export interface BridgePorts
  extends Pick<Kernel, 'db' | 'clock' | 'config' | 'log' | 'effects' | 'policies' | 'metrics'> {
  readonly evm: EvmNetwork;
  readonly fx: ExchangeRates;
  /** Transfers between EVM chains that carry those of the bridge. */
  readonly legs: BridgeLegs;
}

/** What the steps of a transfer stand on. */
export interface BridgeDeps extends BridgePorts {
  readonly attests: Effect<BridgeRow, LegPlace>;
  readonly sends: Effect<BridgeRow, ExecutedTransaction>;
  readonly advances: Effect<BridgeRow, ExecutedTransaction>;
  readonly signer: QuoteSigner;
}
