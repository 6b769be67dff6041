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

/** Where the money of a redemption goes. */
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
  /** What that is in `target_fiat`, in its units, where the receiver's currency is another one. */
  readonly named?: { readonly asset: Fiat; readonly units: string };
  /** What of the result the platform keeps once a bank is paid, in its units. */
  readonly transferFee?: string;
  readonly hash?: string;
  /** Of what gives a pay-out back that had arrived: the flow that had paid it. */
  readonly of?: string;
}

/** The USDC is the issuer's again, and what it was sold for is on its way or there. */
export async function redeem(tx: Db, { id, data }: Saga<XrplOfframp>): Promise<void> {
  const { payer, fiat, hash, user_id } = data;
  if (!fiat || !data.conversion) throw new Error(`${id} sells nothing`);
  const conversion = unpackConversion(data.conversion);
  const { from: sold, result: bought } = conversion;
  await recordConversion(tx, { reference: id, user_id }, conversion);
  const legs = await redeemLegs(tx, { payer, payee: fiat.payee, sold, bought });
  await postWithin(tx, { key: id, kind: 'xrpl-offramp', legs, meta: metaOf(data, hash) });
}

/** What may not fail, since there is no way back from it but by a person. */
export const mustWork =
  (pay: XrplNetwork['pay']): XrplNetwork['pay'] =>
  async (payment) => {
    const outcome = await pay(payment);
    return outcome.kind === 'refused' ? unknown(`${outcome.code}: ${outcome.message}`) : outcome;
  };
