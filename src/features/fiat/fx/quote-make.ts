import { feeOf } from '#features/fiat/fees/fees.ts';
import type { Db } from '#kernel/db/db.ts';
import { newObjectUuid } from '#kernel/object-id.ts';
import { transact } from '#kernel/transact.ts';
import type { RateReading } from '#providers/fx/port.ts';
import { priceQuote, type QuoteWish } from './quote-price.ts';
import { requireOpenRoom, requirePositionRoom } from './quote-room.ts';
import {
  BRIDGE_PERIOD,
  insertQuote,
  type Quote,
  type QuotedBridge,
  type QuotePeriod,
} from './quote-store.ts';
import { spreadOf } from './spread-store.ts';

export interface QuoteRequest {
  readonly user_id: number;
  readonly client_id: number;
  readonly wish: QuoteWish;
  readonly valid_for: QuotePeriod;
  /** The UUID of the conversion that it takes back. */
  readonly reverses?: string;
  /** Milliseconds since 1970, for the id. */
  readonly ms: number;
}

/** Makes a quote by rates that were read before. */
export const makeQuote = (
  db: Db,
  rates: RateReading,
  { user_id, client_id, wish, valid_for, reverses, ms }: QuoteRequest,
): Promise<Quote> =>
  transact(db, async (tx) => {
    const from = typeof wish.from === 'string' ? wish.from : wish.from.asset;
    const to = typeof wish.to === 'string' ? wish.to : wish.to.asset;
    const spread_bps = await spreadOf(tx, client_id, { from, to, valid_for });
    const { conversion, fixed_side, residue } = priceQuote(rates, wish, spread_bps);
    const { from: sold, result: bought } = conversion;
    const fee = await feeOf(tx, { client_id, rail: 'fx', amount: sold });
    await requireOpenRoom(tx, user_id);
    await requirePositionRoom(tx, rates, { sold, bought });
    return insertQuote(tx, {
      quote_id: newObjectUuid(ms),
      client_id,
      user_id,
      fixed_side,
      from_currency: sold.asset,
      from_units: sold.units,
      usdc_units: conversion.usdc.units,
      to_currency: bought.asset,
      to_units: bought.units,
      rate_in: conversion.rate_in,
      rate_out: conversion.rate_out,
      spread_bps,
      valid_for,
      source: conversion.source,
      rates_at: conversion.at,
      route: conversion.route,
      residue,
      reverses: reverses ?? null,
      fees:
        fee.units > 0n ? [{ rail: 'fx', currency: sold.asset, units: fee.units.toString() }] : [],
    });
  });

interface BridgeQuoteRequest extends Pick<QuoteRequest, 'user_id' | 'client_id' | 'ms'> {
  readonly bridge: QuotedBridge;
  /** Units of USDC that leave, and that arrive. */
  readonly sold: bigint;
  readonly received: bigint;
  readonly rates_at: string;
}

/** A quote of the bridge: USDC for USDC on another chain. It changes no position. */
export const makeBridgeQuote = (
  db: Db,
  { user_id, client_id, ms, bridge, sold, received, rates_at }: BridgeQuoteRequest,
): Promise<Quote> =>
  transact(db, async (tx) => {
    await requireOpenRoom(tx, user_id);
    return insertQuote(tx, {
      quote_id: newObjectUuid(ms),
      client_id,
      user_id,
      fixed_side: 'from',
      from_currency: 'USDC',
      from_units: sold,
      usdc_units: sold,
      to_currency: 'USDC',
      to_units: received,
      rate_in: '1',
      rate_out: '1',
      spread_bps: 0,
      valid_for: BRIDGE_PERIOD,
      source: 'bridge',
      rates_at,
      route: `${bridge.from_chain} → ${bridge.to_chain}`,
      residue: '0',
      reverses: null,
      fees: [],
      bridge,
    });
  });
