import type { XrplAddresses } from '#chains/xrpl/port.ts';
import { type Fiat, fiatWalletOf, openWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import {
  type Conversion,
  convertVia,
  costOf,
  packConversion,
  readRates,
} from '#features/fiat/fx/fx.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import { fail } from '#kernel/error.ts';
import { money } from '#kernel/money/money.ts';
import { beginXrplOrder, type XrplRequest } from './begin.ts';
import { openXrplHouse } from './books.ts';
import { ledgerCost } from './cost.ts';
import type { XrplDeps } from './deps.ts';
import type { XrplOnramp } from './onramp.ts';
import { ready, withinXrplLimit } from './ready.ts';
import { isBegun, keepTrustline } from './store.ts';

/** The body of the endpoint. */
export interface OnrampInput {
  readonly currency_code: string;
  readonly amount?: string;
  readonly fiat_currency?: Fiat;
  readonly fiat_amount?: string;
}

/** An amount of USDC without a currency to pay in is paid in dollars. */
const PAID_IN: Fiat = 'USD';

/** Begins an on-ramp, once, and holds its price in the same transaction. */
export async function startOnramp(
  deps: XrplDeps & { readonly machine: Machine<XrplOnramp> },
  request: XrplRequest,
  input: OnrampInput,
): Promise<void> {
  if (await isBegun(deps.db, request.id)) return;
  const read = readInput(input);
  const addresses = await ready(deps.xrpl);
  const rates = await readRates(deps.fx);
  const conversion: Conversion =
    'units' in read
      ? costOf(rates, read, PAID_IN)
      : convertVia(rates, { from: read.from, to: 'USDC' });
  withinXrplLimit(conversion.usdc.units);
  const { user_id } = request.caller;
  const { currency_code } = input;
  const { asset } = conversion.from;
  await beginXrplOrder<XrplOnramp>(deps, request, {
    action: 'XRPL_ONRAMP',
    details: { from: asset },
    machine: deps.machine,
    cost: await ledgerCost(deps, 'onramp'),
    record: {
      tx_type: 'ONRAMP',
      currency_code,
      units: conversion.usdc.units,
      source_address: addresses.issuer,
      destination_address: addresses.platform,
    },
    async dataOf(tx, isSponsored) {
      await keepTrustline(tx, trustline(user_id, currency_code, addresses));
      const payer = isSponsored
        ? await openXrplHouse(tx, 'sponsor', asset)
        : await walletIn(tx, user_id, asset);
      return { payer, conversion: packConversion(conversion) };
    },
  });
}

const ONE_OF_BOTH = 'Provide either amount (USDC) OR fiat_currency + fiat_amount';

function readInput({ amount, fiat_currency, fiat_amount }: OnrampInput) {
  const isFiat = fiat_currency !== undefined && fiat_amount !== undefined;
  const isAny = fiat_currency !== undefined || fiat_amount !== undefined;
  if (amount === undefined ? !isFiat : isAny) throw fail('VALIDATION_ERROR', ONE_OF_BOTH);
  if (amount !== undefined) return money('USDC', amount);
  if (!isFiat) throw fail('VALIDATION_ERROR', ONE_OF_BOTH);
  return { from: money(fiat_currency, fiat_amount) };
}

const trustline = (
  user_id: number,
  currency_code: string,
  { platform: address, issuer }: XrplAddresses,
) => ({ user_id, address, issuer, currency_code });

/** The ledger account of the user's wallet, which is opened where there is none. */
async function walletIn(tx: Db, user_id: number, asset: string): Promise<number> {
  const currency = asset as Fiat;
  const wallet = await fiatWalletOf(tx, user_id, currency);
  return (wallet ?? (await openWallet(tx, user_id, currency)).wallet).account_id;
}
