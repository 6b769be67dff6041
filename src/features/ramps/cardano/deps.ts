import type { Cardano } from '#chains/cardano/port.ts';
import type { CardPulls } from '#features/fiat/cards/cards.ts';
import type { PayoutMemory, Payouts } from '#features/fiat/payouts/payouts.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { BankAccount } from '#providers/gateway/port.ts';

/** Dependencies of a ramp's steps. */
export interface RampDeps
  extends Pick<Kernel, 'db' | 'clock' | 'config' | 'log' | 'sagas' | 'prices'> {
  readonly cardano: Cardano;
  readonly fx: ExchangeRates;
  readonly cards: Pick<CardPulls, 'pull' | 'giveBack' | 'find'>;
  readonly payouts: Payouts;
  /** The bank account for a user's rupiah; undefined where they have named none. */
  payoutAccountOf(db: Db, user_id: number): Promise<BankAccount | undefined>;
}

/** A flow's part of its order: the rest is in the order's row. */
export interface Ramp extends PayoutMemory {
  readonly order_id: string;
  readonly target: 'WALLET' | 'BANK' | 'ADDRESS';
  /** Fiat legs settle without a bank. */
  readonly simulated: boolean;
}

export interface RampMachines {
  readonly fromCard: Machine<Ramp>;
  readonly fromWallet: Machine<Ramp>;
}

export type RampRouteDeps = RampDeps & { readonly machines: RampMachines };
