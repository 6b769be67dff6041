import type { ChainKey, EvmNetwork } from '#chains/evm/port.ts';
import type { PayoutMemory, Payouts } from '#features/fiat/payouts/payouts.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import type { TokenIssuer } from './issuer/issuer.ts';

/** What every step of a purchase or redemption stands on. */
export interface IdrBase
  extends Pick<
    Kernel,
    'db' | 'clock' | 'config' | 'log' | 'jobs' | 'effects' | 'sagas' | 'inboxes'
  > {
  readonly gateway: Gateway;
  readonly issuer: TokenIssuer;
  readonly evm: EvmNetwork;
  /** On which purchases are minted, and where burns are looked for first. */
  readonly home: ChainKey;
}

/** By which what the gateway takes is counted. */
export type CostDeps = Pick<Kernel, 'quotas' | 'prices'>;

/** Of what pays out beside. */
export interface PayingBase extends IdrBase {
  readonly payouts: Payouts;
}

/** The flows, by what starts them. */
export interface IdrMachines {
  readonly onramp: Machine<Onramp>;
  readonly offramp: Machine<Offramp>;
}

/** What the flow of a purchase remembers; its reference is the flow's id. */
export interface Onramp {
  readonly expiresAt: string;
  /** Counts the mints, each of which has a name of its own on chain. */
  readonly attempt: number;
  readonly hash?: string;
  /** What was paid, in units of IDR, where the gateway has said so. */
  readonly paid?: string;
  /** Why it came to nothing. */
  readonly failure?: string;
}

/** The same of a redemption. */
export interface Offramp extends PayoutMemory {
  /** It is only made while banks make large transfers. */
  readonly waitsForOffice: boolean;
}
