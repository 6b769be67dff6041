import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type Conversion, convertVia } from '#features/fiat/fx/fx.ts';
import { fail } from '#kernel/error.ts';
import { format, type Money, money, percent } from '#kernel/money/money.ts';
import type { RateReading } from '#providers/fx/port.ts';

/** Contract part 2, Cardano: fees. */
const ONRAMP_PERCENT = '0.5';
const OFFRAMP_PERCENT = '0.75';
/** The card network can write no more digits. */
const WHOLE_DIGITS_MAX = 12;
/** The chain counts in 64 bits, and all tokens there are in one output. */
const USDC_MAX = 1_000_000_000n * 1_000_000n;

/** The amounts of an order, at the rates of one reading. */
export interface CardanoTerms {
  readonly amount: Money<Fiat>;
  readonly onrampFee: bigint;
  /** Of the amount after the fee: it is minted. */
  readonly conversion: Conversion;
  readonly usdc: bigint;
  /** Where the order goes on to a currency. */
  readonly out?: { readonly currency: Fiat; readonly payout: bigint; readonly fee: bigint };
}

/**
 * The on-ramp's percentage is deducted from the amount before the mint, the off-ramp's from the value of the USDC
 * before the payout; both are rounded up. `whole` is for payouts without cents.
 */
export function termsOf(
  rates: RateReading,
  amount: Money<Fiat>,
  to: { readonly currency: Fiat; readonly whole: boolean } | undefined,
): CardanoTerms {
  const onrampFee = percent(amount, ONRAMP_PERCENT, 'up').units;
  const net = { asset: amount.asset, units: amount.units - onrampFee };
  if (net.units <= 0n) throw fail('INVALID_AMOUNT', 'fiat_amount must exceed the fee');
  const conversion = convertVia<Fiat, Fiat | 'USDC'>(rates, {
    from: net,
    to: to?.currency ?? 'USDC',
  });
  const usdc = conversion.usdc.units;
  if (usdc > USDC_MAX)
    throw fail('INVALID_AMOUNT', `fiat_amount comes to more than ${inWords(USDC_MAX)} USDC`);
  if (to === undefined) return { amount, onrampFee, conversion, usdc };
  const gross = { asset: to.currency, units: conversion.result.units };
  const share = percent(gross, OFFRAMP_PERCENT, 'up').units;
  const cents = to.whole ? (gross.units - share) % 100n : 0n;
  const payout = gross.units - share - cents;
  if (payout <= 0n)
    throw fail('AMOUNT_BELOW_MINIMUM', 'fiat_amount comes to nothing in currency_to');
  const out = { currency: to.currency, payout, fee: share + cents };
  return { amount, onrampFee, conversion, usdc, out };
}

const inWords = (units: bigint): string => format({ asset: 'USDC', units });

/** An amount as typed, in the currency's own decimals. */
export function cardanoAmountOf(currency: Fiat, typed: string): Money<Fiat> {
  if ((typed.split('.', 1)[0] ?? '').length > WHOLE_DIGITS_MAX) {
    const message = `must have at most ${WHOLE_DIGITS_MAX} digits before the point`;
    const details = [{ field: 'fiat_amount', message }];
    throw fail('INVALID_AMOUNT', `fiat_amount ${message}`, { details });
  }
  return money(currency, typed);
}
