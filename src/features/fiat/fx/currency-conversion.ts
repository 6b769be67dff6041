import {
  FIAT,
  type Fiat,
  fiatWalletOf,
  openWallet,
} from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError, fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { balanceOf, houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import type { Leg } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { Market } from '#kernel/money/cost.ts';
import { format, type Money } from '#kernel/money/money.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import { stepUpOf } from '#kernel/policies/operation.ts';
import { emitCurrencyConversion, type NamedConversion } from './currency-conversion-events.ts';
import { insertCurrencyConversion } from './currency-conversion-store.ts';
import type { Quotable } from './quote-price.ts';
import { type QuotedTrade, quotedLegs, useQuote } from './quote-use.ts';

export type ConvertDeps = Pick<Kernel, 'clock' | 'policies'>;

/** A request to convert by a quote. */
export interface QuotedConversionOrder {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly operation: string;
  readonly quote_id: string;
  readonly market: Market | undefined;
}

/** Converts between two wallets of the caller by a quote, in one transaction; the other wallet is opened. */
export async function convertByQuote(
  { clock, policies }: ConvertDeps,
  tx: Db,
  { caller, request, operation, quote_id, market }: QuotedConversionOrder,
): Promise<NamedConversion> {
  const { user_id, client_id, key } = caller;
  const conversion_id = newObjectUuid(clock.ms());
  const object_id = objectId('cnv', conversion_id);
  const trade = await useQuote(tx, { quote_id, user_id, used_by: object_id });
  const [from, to] = [fiatOf(trade.sold), fiatOf(trade.bought)];
  const payer = await fiatWalletOf(tx, user_id, from);
  if (!payer) throw fail('WALLET_NOT_FOUND', `There is no wallet in ${from}`);
  const { wallet: payee } = await openWallet(tx, user_id, to);
  const names = namesGiven('payment');
  await policies.decide(tx, {
    kind: 'conversion',
    op: 'fx_conversion',
    operation,
    payment_id: object_id,
    client_id,
    user_id,
    amount: trade.sold,
    market,
    wallet: { id: payer.wallet_id, currency: from },
    key: key && { key_id: key.key_id, scopes: key.scopes },
    metadata: names.metadata,
    stepUp: stepUpOf(request),
  });
  const fee = trade.quote.fees.reduce((sum, { units }) => sum + BigInt(units), 0n);
  const row = await insertCurrencyConversion(tx, {
    conversion_id,
    object_id,
    operation,
    client_id,
    user_id,
    quote_id,
    from_wallet_id: payer.wallet_id,
    to_wallet_id: payee.wallet_id,
    from_currency: from,
    from_units: trade.sold.units,
    to_currency: to,
    to_units: trade.bought.units,
    fee,
  });
  const accounts = { payer: payer.account_id, payee: payee.account_id };
  await post(tx, trade, { ...accounts, fee, reference: `fx-conversion:${object_id}` });
  const made = { ...row, names };
  emitCurrencyConversion(tx, made);
  return made;
}

function fiatOf({ asset }: Money<Quotable>): Fiat {
  if (FIAT.includes(asset as Fiat)) return asset as Fiat;
  throw fail('QUOTE_MISMATCH', `A conversion is between wallets, and there are none in ${asset}`, {
    details: { field: 'currency', quoted: asset },
  });
}

interface Posting {
  readonly payer: number;
  readonly payee: number;
  readonly fee: bigint;
  readonly reference: string;
}

async function post(
  tx: Db,
  trade: QuotedTrade,
  { payer, payee, fee, reference }: Posting,
): Promise<void> {
  const legs = await quotedLegs(tx, trade, { payer, payee, reference });
  const all = fee === 0n ? legs : await withFeeOf(tx, trade.sold, { legs, payer, fee });
  try {
    await postWithin(tx, { key: reference, kind: 'fx-conversion', legs: all });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INSUFFICIENT_BALANCE') throw error;
    const { asset, units } = trade.sold;
    const text = (some: bigint) => format({ asset, units: some });
    const { available } = await balanceOf(tx, payer);
    throw fail('INSUFFICIENT_BALANCE', 'Insufficient balance', {
      details: { available: text(available), required: text(units + fee), currency: asset },
    });
  }
}

/** The fee comes on top of what is sold. */
async function withFeeOf(
  tx: Db,
  { asset }: Money<Quotable>,
  { legs, payer, fee }: { legs: readonly Leg[]; payer: number; fee: bigint },
): Promise<Leg[]> {
  const fees = await openAccount(tx, houseAccount('fx-fees', asset));
  const paid = legs.map((leg) =>
    leg.account === payer ? { ...leg, amount: leg.amount - fee } : leg,
  );
  return [...paid, { account: fees, amount: fee }];
}
