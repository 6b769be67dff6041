import type { EvmNetwork, ExecutedTransaction } from '#chains/evm/port.ts';
import type { BridgeLegs, LegPlace } from '#features/chain-wallets/crosschain/crosschain.ts';
import type { QuoteSigner } from '#features/fiat/fx/fx.ts';
import type { DonePayment, FarLedger } from '#features/ramps/ramp/ramp.ts';
import type { Effect } from '#kernel/effects/effect.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { BridgePlaces } from './places.ts';
import type { BridgeRow } from './store.ts';

/** What the bridge is made of. */
export interface BridgeGiven
  extends Pick<
    Kernel,
    'db' | 'clock' | 'config' | 'log' | 'effects' | 'policies' | 'metrics' | 'vault'
  > {
  readonly evm: EvmNetwork;
  /** The chains without contracts of ours. */
  readonly ledgers: readonly FarLedger[];
  readonly fx: ExchangeRates;
  /** Transfers between EVM chains that carry those of the bridge. */
  readonly legs: BridgeLegs;
}

export interface BridgePorts extends BridgeGiven {
  readonly places: BridgePlaces;
}

/** What the steps of a transfer stand on. */
export interface BridgeDeps extends BridgePorts {
  readonly attests: Effect<BridgeRow, LegPlace>;
  readonly takes: Effect<BridgeRow, ExecutedTransaction>;
  readonly mints: Effect<BridgeRow, DonePayment>;
  readonly sends: Effect<BridgeRow, DonePayment>;
  readonly advances: Effect<BridgeRow, DonePayment>;
  readonly signer: QuoteSigner;
}
