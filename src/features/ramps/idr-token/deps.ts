import type { ChainKey, EvmNetwork } from '#chains/evm/port.ts';
import type { PayoutMemory, Payouts } from '#features/fiat/payouts/payouts.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import type { TokenIssuer } from './issuer/issuer.ts';

/** Dependencies of every step of a purchase or redemption. */
export interface IdrBase
  extends Pick<
    Kernel,
    'db' | 'clock' | 'config' | 'log' | 'jobs' | 'effects' | 'sagas' | 'inboxes'
  > {
  readonly gateway: Gateway;
  readonly issuer: TokenIssuer;
  readonly evm: EvmNetwork;
  /** The chain of purchases, and the first one on which burns are looked up. */
  readonly home: ChainKey;
}

/** For the gateway's price, and for what policies make of a pay-out. */
export interface CostDeps extends Pick<Kernel, 'quotas' | 'prices' | 'policies'> {
  readonly fx: ExchangeRates;
}

/** The same with pay-outs. */
export interface PayingBase extends IdrBase {
  readonly payouts: Payouts;
}

/** The machines of both directions. */
export interface IdrMachines {
  readonly onramp: Machine<Onramp>;
  readonly offramp: Machine<Offramp>;
}

/** The data of a purchase's flow; its reference is the flow's id. */
export interface Onramp {
  readonly expiresAt: string;
  /** Counts the mints, each of which has a name of its own on chain. */
  readonly attempt: number;
  readonly hash?: string;
  /** The paid amount, in units of IDR, where the gateway has reported it. */
  readonly paid?: string;
  /** Why it failed. */
  readonly failure?: string;
}

/** The same of a redemption. */
export interface Offramp extends PayoutMemory {
  /** Banks make large transfers in office hours only. */
  readonly waitsForOffice: boolean;
}
