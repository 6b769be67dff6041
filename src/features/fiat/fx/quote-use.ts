import { FIAT, type Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import type { Leg } from '#kernel/ledger/ledger.ts';
import { format, type Money } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import { exchangeLegs } from './legs.ts';
import type { Quotable } from './quote-price.ts';
import { endPromise, findQuote, type Quote, type QuoteKind, takeQuote } from './quote-store.ts';
import { recordConversion } from './store.ts';

/** What a thing needs a quote for. What is left out may be anything that the quote has. */
export interface QuoteUse {
  /** The UUID, as `objectIdInput('qte')` gives it. */
  readonly quote_id: string;
  /** Whose money it is, and whose the quote has to be. */
  readonly user_id: number;
  /** The id of the thing, as callers see it: `trf_…`. */
  readonly used_by: string;
  /** What kind of thing it is; between currencies unless it says so. */
  readonly kind?: QuoteKind;
  readonly from?: Quotable;
  readonly to?: Quotable;
  /** Units of `from` that the thing takes. */
  readonly sells?: bigint | undefined;
  /** Units of the other currency that it gives. */
  readonly buys?: bigint | undefined;
  /** Whether it may be one that takes a conversion back. */
  readonly mayReverse?: true;
}

/** What a used quote promises. */
export interface QuotedTrade {
  readonly quote: Quote;
  readonly sold: Money<Quotable>;
  readonly bought: Money<Quotable>;
}

/**
 * Uses a quote for one thing, in the transaction that holds or moves its money: of several things at once one gets it.
 * What ends without having moved money does not open it again. Throws NOT_FOUND for another user's, QUOTE_MISMATCH for
 * other currencies or amounts, QUOTE_USED with `used_by`, and QUOTE_EXPIRED, also for a cancelled one. Endpoints that call
 * it declare these four as `QUOTE_ERRORS`. Its price holds even where rates have changed or are away.
 */
export async function useQuote(tx: Db, use: QuoteUse): Promise<QuotedTrade> {
  const found = await findQuote(tx, use);
  if (!found) throw fail('NOT_FOUND', 'Quote not found');
  requireTerms(found, use);
  const taken = await takeQuote(tx, use, use.used_by);
  if (taken) return tradeOf(taken);
  // Another thing may have used it since it was read.
  throw notUsable((await findQuote(tx, use)) ?? found);
}

/** What a quote would promise to a thing that is to use it in the same transaction. Throws NOT_FOUND and QUOTE_MISMATCH. */
export async function quotedTrade(db: Db, use: Omit<QuoteUse, 'used_by'>): Promise<QuotedTrade> {
  const found = await findQuote(db, use);
  if (!found) throw fail('NOT_FOUND', 'Quote not found');
  requireTerms(found, use);
  return tradeOf(found);
}

/** The refusals of `useQuote`. */
export const QUOTE_ERRORS = ['NOT_FOUND', 'QUOTE_EXPIRED', 'QUOTE_USED', 'QUOTE_MISMATCH'] as const;

/** The same trade again, in a later transaction of the thing that has used the quote. */
export async function usedQuote(
  db: Db,
  { used_by, ...of }: Pick<QuoteUse, 'quote_id' | 'user_id' | 'used_by'>,
): Promise<QuotedTrade> {
  const found = await findQuote(db, of);
  if (found?.used_by !== used_by) throw new Error(`Quote ${of.quote_id} is not used by ${used_by}`);
  return tradeOf(found);
}

/** The currency of a wallet that a quote sells or buys. Throws QUOTE_MISMATCH for a token. */
export function quotedFiat({ asset }: Money<Quotable>): Fiat {
  if (FIAT.includes(asset as Fiat)) return asset as Fiat;
  throw fail('QUOTE_MISMATCH', `The quote is between wallets, and there are none in ${asset}`, {
    details: { field: 'currency', quoted: asset },
    hint: 'Ask for a quote between two currencies of wallets.',
  });
}

/** What the quote is charged for beside, in units of what is sold. */
export const quotedFee = ({ quote: { fees } }: QuotedTrade): bigint =>
  fees.reduce((sum, { units }) => sum + BigInt(units), 0n);

interface QuotedPayment {
  readonly payer: number;
  readonly payee: number;
  /** The key of the posting. */
  readonly reference: string;
  /** A fee on top of what is sold, in its currency. */
  readonly fees?: { readonly account: number; readonly units: bigint } | undefined;
  /** Whether all that is paid was set aside. */
  readonly isHeld?: boolean;
  /** Units of the trade that are paid now, where others follow. The thing itself ends the promise after the last. */
  readonly part?: { readonly sold: bigint; readonly bought: bigint };
}

/**
 * The legs by which `payer` sells and `payee` gets what a used quote promises, and the record of that conversion: in
 * the transaction that posts them under the same reference. The position counts the quote as promised no longer.
 */
export async function quotedLegs(
  tx: Db,
  trade: QuotedTrade,
  { payer, payee, reference, fees, isHeld = false, part }: QuotedPayment,
): Promise<Leg[]> {
  const { user_id, quote_id, rate_in, rate_out, source, rates_at: at, route } = trade.quote;
  const { sold, bought, usdc } = part ? partOf(trade, part) : wholeOf(trade);
  const conversion = { from: sold, usdc, result: bought, route, rate_in, rate_out, source, at };
  await recordConversion(tx, { reference, user_id, quote_id }, conversion);
  if (!part) await endPromise(tx, quote_id);
  const [, ...others] = await exchangeLegs(tx, { payer, sold, payee, bought });
  const paid = -(sold.units + (fees?.units ?? 0n));
  return [
    { account: payer, amount: paid, ...(isHeld && { held: paid }) },
    ...others,
    ...(fees ? [{ account: fees.account, amount: fees.units }] : []),
  ];
}

const wholeOf = ({ quote, sold, bought }: QuotedTrade) => ({
  sold,
  bought,
  usdc: { asset: 'USDC' as const, units: quote.usdc_units },
});

function partOf(trade: QuotedTrade, { sold, bought }: NonNullable<QuotedPayment['part']>) {
  const whole = wholeOf(trade);
  const units = (whole.usdc.units * bought) / whole.bought.units;
  return {
    sold: { ...whole.sold, units: sold },
    bought: { ...whole.bought, units: bought },
    usdc: { ...whole.usdc, units: units > 0n ? units : 1n },
  };
}

const tradeOf = (quote: Quote): QuotedTrade => ({
  quote,
  sold: { asset: quote.from_currency, units: quote.from_units },
  bought: { asset: quote.to_currency, units: quote.to_units },
});

function requireTerms(
  quote: Quote,
  { kind = 'fx', from, to, sells, buys, mayReverse }: Omit<QuoteUse, 'used_by'>,
): void {
  const { sold, bought } = tradeOf(quote);
  const differs = (field: string, quoted: string): AppError =>
    fail('QUOTE_MISMATCH', `The quote is for another ${field}: ${quoted}`, {
      details: { field, quoted },
      hint: 'Ask for a quote of these currencies and this amount, by POST /fx/quotes.',
    });
  if (quote.kind !== kind) throw differs('kind', quote.kind);
  if (quote.reverses !== null && !mayReverse)
    throw differs('purpose', 'it takes a conversion back');
  if (from !== undefined && sold.asset !== from) throw differs('from_currency', sold.asset);
  if (to !== undefined && bought.asset !== to) throw differs('to_currency', bought.asset);
  if (sells !== undefined && sold.units !== sells) throw differs('from_amount', format(sold));
  if (buys !== undefined && bought.units !== buys) throw differs('to_amount', format(bought));
}

function notUsable({ quote_id, status, used_by, expires_at }: Quote): AppError {
  const id = objectId('qte', quote_id);
  if (status === 'USED')
    return fail('QUOTE_USED', `${id} has been used`, {
      details: { used_by },
      hint: 'A quote is used once: ask for another one.',
    });
  const why = status === 'CANCELLED' ? 'was cancelled' : 'has expired';
  return fail('QUOTE_EXPIRED', `${id} ${why}`, {
    details: { status, expires_at },
    hint: 'Ask for another quote.',
  });
}
