import type { XrplAddresses } from '#chains/xrpl/port.ts';
import { type Fiat, fiatWalletOf, openWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import {
  type Conversion,
  convertVia,
  costOf,
  packConversion,
  readRates,
} from '#features/fiat/fx/fx.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import { AppError, fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { money } from '#kernel/money/money.ts';
import { transact } from '#kernel/transact.ts';
import { openXrplHouse } from './books.ts';
import { ledgerCost, spendCost } from './cost.ts';
import type { XrplDeps } from './deps.ts';
import { beginRecord } from './events.ts';
import type { XrplOnramp } from './onramp.ts';
import { ready, withinXrplLimit } from './ready.ts';
import { isBegun, keepTrustline } from './store.ts';

/** As the endpoint takes it. */
export interface OnrampWish {
  readonly currency_code: string;
  readonly amount?: string;
  readonly fiat_currency?: Fiat;
  readonly fiat_amount?: string;
}

interface Asked {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  /** Names the flow. */
  readonly id: string;
}

/** An amount of USDC without a currency to pay in is paid in dollars. */
const PAID_IN: Fiat = 'USD';

/** Begins an on-ramp, once, and holds its price in the same transaction. */
export async function startOnramp(
  deps: XrplDeps & { readonly machine: Machine<XrplOnramp> },
  { caller, request, id }: Asked,
  wish: OnrampWish,
): Promise<void> {
  if (await isBegun(deps.db, id)) return;
  const read = readWish(wish);
  const addresses = await ready(deps.xrpl);
  const rates = await readRates(deps.fx);
  const conversion: Conversion =
    'units' in read
      ? costOf(rates, read, PAID_IN)
      : convertVia(rates, { from: read.from, to: 'USDC' });
  withinXrplLimit(conversion.usdc.units);
  const cost = await ledgerCost(deps, 'onramp');
  const begin = (isSponsored: boolean) =>
    transact(deps.db, async (tx) => {
      const { user_id } = caller;
      const record = await beginRecord(tx, {
        user_id,
        operation: id,
        tx_type: 'ONRAMP',
        currency_code: wish.currency_code,
        units: conversion.usdc.units,
        source_address: addresses.issuer,
        destination_address: addresses.platform,
      });
      if (!record) return;
      await spendCost(tx, deps, { caller, request }, cost);
      await keepTrustline(tx, trustline(user_id, wish.currency_code, addresses));
      const { asset } = conversion.from;
      const payer = isSponsored
        ? await openXrplHouse(tx, 'sponsor', asset)
        : await walletIn(tx, user_id, asset);
      const details = { operation: id, from: asset, is_sponsored: isSponsored };
      await logActivity(tx, { action: 'XRPL_ONRAMP', actor: caller, details, request });
      const data = {
        user_id,
        client_id: caller.client_id,
        payer,
        conversion: packConversion(conversion),
      };
      await deps.sagas.start(tx, deps.machine, { id, data, drivenForMs: 60_000 });
    });
  await sponsoredWhereLacking(deps.config.MOCK_MODE, begin);
}

/** In mock mode a payer needs no money: the house pays (decisions: Modes). */
export async function sponsoredWhereLacking(
  isMock: boolean,
  begin: (isSponsored: boolean) => Promise<void>,
): Promise<void> {
  try {
    await begin(false);
  } catch (error) {
    const isLacking = error instanceof AppError && error.code === 'INSUFFICIENT_BALANCE';
    if (!isMock || !isLacking) throw error;
    await begin(true);
  }
}

const ONE_OF_BOTH = 'Provide either amount (USDC) OR fiat_currency + fiat_amount';

function readWish({ amount, fiat_currency, fiat_amount }: OnrampWish) {
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
