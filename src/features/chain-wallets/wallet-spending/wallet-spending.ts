import { type ChainCall, ChainError, type Quote } from '#chains/evm/port.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Feature } from '#kernel/feature.ts';
import {
  type Hold,
  type HoldPlace,
  holdSpending,
  observe,
  plainShortage,
  type Shortage,
  type SpendingHolding,
} from './holds-store.ts';

export {
  fromRefusal,
  outcomeOf,
  type Shortfall,
  sendOnce,
  type ToShortfall,
  toRefusal,
  toSpendingAppError,
  withConfirmations,
} from './chain-errors.ts';
export { beginHeld, readSpendable, type SpendableUnits, type SpendingHold } from './held-store.ts';
export {
  forgetReleased,
  type Hold,
  type HoldPlace,
  holdSpending,
  releaseHold,
  type Shortage,
  type SpendingHolding,
} from './holds-store.ts';
export {
  createPlatformFee,
  type Fee,
  type FeeEnd,
  type FeeOwner,
  moveCall,
  type PlatformFee,
} from './platform-fee.ts';

/** What managed wallets pay for; others ask for it by name. */
export const createWalletSpending = (): Feature => ({ name: 'wallet-spending' });

/** One thing that a managed wallet is to pay for. */
export interface Spend {
  /** The name that its transaction will have in the journal. */
  readonly reference: string;
  /** The contract's address, or `native`. */
  readonly token_contract: string;
  /** Smallest units of that token. */
  readonly units: bigint;
  /** The transaction that pays it, or the first of several. */
  readonly call: Omit<ChainCall, 'from'>;
  /** Calls behind the first one, which cannot be simulated before that has happened. */
  readonly laterCalls?: number;
  /** It is sent some blocks later, when gas may be dearer: so many times what it costs now. */
  readonly gasTimes?: bigint;
}

/**
 * A fee follows what it is for by some blocks, in each of which the price of gas may rise by an
 * eighth. What is not used of it stays in the wallet.
 */
export const FEE_GAS_TIMES = 2n;
/** What a call takes at most that cannot be simulated before the ones ahead of it have happened. */
const LATER_CALL_GAS = 300_000n;

/** Held with its quotes, in the order of the spends; or why nothing is held. */
export type Reservation<T> =
  | { readonly held: T; readonly quotes: readonly Quote[] }
  | { readonly short: Shortage }
  /** The chain says that it cannot be paid: `insufficient_funds` or `reverted`. */
  | { readonly fault: ChainError }
  | 'unmanaged'
  | 'unwritten';

/**
 * Simulates what a managed wallet is to pay, reads its balance once, and sets both aside, all or
 * nothing, with what `write` writes down (see `hold`). The quotes are for the next sender.
 * Throws a ChainError where the chain gives no answer.
 */
export async function reserve<T>(
  place: HoldPlace,
  spends: readonly Spend[],
  write: (tx: Db) => Promise<T | undefined>,
): Promise<Reservation<T>> {
  const [seen, priced] = await Promise.all([observe(place, spends), price(place, spends)]);
  if (priced instanceof ChainError) {
    // What is plainly too much fails when it is simulated, and its gas cannot be estimated.
    const short = plainShortage(
      spends.map((spend) => ({ ...spend, gas: 0n })),
      seen,
    );
    return short ? { short } : { fault: priced };
  }
  const holds = spends.map((spend, i) => holdOf(spend, priced[i]));
  const holding: SpendingHolding<T> = await holdSpending(place, holds, write, seen);
  // No hold exists for a wallet outside, but it must own what it is to pay.
  if (holding === 'unmanaged') {
    const short = plainShortage(holds, seen);
    return short ? { short } : holding;
  }
  if (typeof holding === 'string' || 'short' in holding) return holding;
  return { ...holding, quotes: priced };
}

/** What each costs in gas, or why one of them would fail. */
async function price(
  { chain, address: from }: HoldPlace,
  spends: readonly Spend[],
): Promise<Quote[] | ChainError> {
  try {
    return await Promise.all(spends.map(({ call }) => chain.sender.quote({ ...call, from })));
  } catch (error) {
    if (error instanceof ChainError && UNPAYABLE.includes(error.kind)) return error;
    throw error;
  }
}
const UNPAYABLE = ['insufficient_funds', 'reverted'];

function holdOf(spend: Spend, quote: Quote | undefined): Hold {
  const { reference, token_contract, units, laterCalls = 0, gasTimes = 1n } = spend;
  if (quote === undefined) throw new Error(`${reference} has no price`);
  const later = BigInt(laterCalls) * LATER_CALL_GAS * quote.gasPrice;
  return { reference, token_contract, units, gas: (quote.maxGasFee + later) * gasTimes };
}
