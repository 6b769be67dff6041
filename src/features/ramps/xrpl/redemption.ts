import type { XrplNetwork } from '#chains/xrpl/port.ts';
import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type PackedConversion, recordConversion, unpackConversion } from '#features/fiat/fx/fx.ts';
import type { PayoutMemory } from '#features/fiat/payouts/payouts.ts';
import type { Db } from '#kernel/db/db.ts';
import { unknown } from '#kernel/effects/outcome.ts';
import type { Saga } from '#kernel/effects/saga-machine.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { BankAccount } from '#providers/gateway/port.ts';
import { metaOf, redeemLegs } from './books.ts';

/** The payee of a redemption. */
export interface FiatEnd {
  /** The ledger account that gets it: a wallet, or one of the house for what goes to a bank. */
  readonly payee: number;
  /** Set where a bank transfer is really made. */
  readonly bank?: BankAccount;
}

export interface XrplOfframp extends PayoutMemory {
  readonly user_id: number;
  readonly client_id: number;
  /** The account that pays: the user's USDC, or in mock mode the house's. */
  readonly payer: number;
  readonly isSponsored: boolean;
  /** Millionths of a USDC. */
  readonly units: string;
  /** Outside; without it the USDC goes back to the issuer. */
  readonly address?: string;
  /** Whose it is at that address. */
  readonly tag?: number;
  readonly fiat?: FiatEnd;
  /** USDC to fiat, where it is sold. */
  readonly conversion?: PackedConversion;
  /** The same in `target_fiat`, in its units, where the receiver's currency is another one. */
  readonly named?: { readonly asset: Fiat; readonly units: string };
  /** The part of the result that the platform keeps once a bank is paid, in its units. */
  readonly transferFee?: string;
  readonly hash?: string;
  /** In the flow of a returned pay-out: the flow that had paid it. */
  readonly of?: string;
}

/** The issuer has the USDC again, and its price is on the way or there. */
export async function redeem(tx: Db, { id, data }: Saga<XrplOfframp>): Promise<void> {
  const { payer, fiat, hash, user_id } = data;
  if (!fiat || !data.conversion) throw new Error(`${id} sells nothing`);
  const conversion = unpackConversion(data.conversion);
  const { from: sold, result: bought } = conversion;
  await recordConversion(tx, { reference: id, user_id }, conversion);
  const legs = await redeemLegs(tx, { payer, payee: fiat.payee, sold, bought });
  await postWithin(tx, { key: id, kind: 'xrpl-offramp', legs, meta: metaOf(data, hash) });
}

/** For a payment that must succeed: a refusal leaves it open, for a person. */
export const refusalAsUnknown =
  (pay: XrplNetwork['pay']): XrplNetwork['pay'] =>
  async (payment) => {
    const outcome = await pay(payment);
    return outcome.kind === 'refused' ? unknown(`${outcome.code}: ${outcome.message}`) : outcome;
  };
