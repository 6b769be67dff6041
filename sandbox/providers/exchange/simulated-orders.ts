import { randomInt } from 'node:crypto';
import { format, money } from '#kernel/money/money.ts';
import { divide } from '#kernel/money/rate.ts';
import type { Records } from '#sandbox/records.ts';
import type { World } from '#sandbox/simulator.ts';
import {
  listedSince,
  moveSimulatedBalance,
  SIMULATED_EXCHANGE_PROVIDER,
} from './simulated-account.ts';
import { type Behaviour, behaviourOf } from './simulated-behaviour.ts';

const ORDER = 'order';
export const MARKET = 'USDC_IDR';
/** Of the wire: new, in part, filled, cancelled, refused, and ended before all of it was bought. */
const NEW = 0;
const PARTLY = 1;
const FILLED = 2;
const CANCELLED = 3;
const REJECTED = 5;
const EXPIRED = 6;
export const MIN_NOTIONAL = 10_000_00n;
const isOpen = ({ status }: Pick<SimulatedOrder, 'status'>) => status === NEW || status === PARTLY;

interface Fill {
  readonly tradeId: string;
  readonly price: string;
  readonly qty: string;
  readonly quoteQty: string;
  readonly commission: string;
  readonly commissionAsset: string;
}

/** An order; amounts are decimals in whole coins. */
export interface SimulatedOrder {
  readonly id: string;
  readonly at: number;
  readonly clientId: string;
  /** To buy where it is not said. */
  readonly side?: 'buy' | 'sell';
  /** Rupiah to spend at the market; or so many USDC, at that price or a better one where there is one. */
  readonly asked?: string;
  readonly quantity?: string;
  readonly price?: string;
  readonly status: number;
  readonly fills: readonly Fill[];
}

/** The name of our own is not looked at: an order that is sent twice is two orders. */
export async function addOrder(
  world: World,
  asked: Pick<SimulatedOrder, 'clientId' | 'side' | 'asked' | 'quantity' | 'price'>,
): Promise<SimulatedOrder> {
  const at = world.clock.now().getTime();
  const order = { ...asked, id: `${randomInt(1e14)}`, at, status: NEW, fills: [] };
  await world.records.insert(SIMULATED_EXCHANGE_PROVIDER, ORDER, order.id, order);
  return advance(world, order);
}

export async function ordersSince(world: World, since: number, limit: number) {
  const found = await listedSince<SimulatedOrder>(world.records, ORDER, since, limit);
  const all: SimulatedOrder[] = [];
  for (const order of found) all.push(isOpen(order) ? await advance(world, order) : order);
  return all;
}

/** As it is after the exchange has looked at it. */
export async function orderNow(world: World, id: string): Promise<SimulatedOrder | undefined> {
  const order = await orderOf(world.records, id);
  return order && isOpen(order) ? advance(world, order) : order;
}

/** Ends an open one with what it has; nothing where there is none. */
export const cancelOrder = (records: Records, id: string): Promise<SimulatedOrder | undefined> =>
  records.update<SimulatedOrder>(SIMULATED_EXCHANGE_PROVIDER, ORDER, id, (kept) =>
    isOpen(kept) ? { ...kept, status: CANCELLED } : undefined,
  );

export const orderOf = (records: Records, id: string): Promise<SimulatedOrder | undefined> =>
  records.get<SimulatedOrder>(SIMULATED_EXCHANGE_PROVIDER, ORDER, id);

/** What the open orders may still take of the account. */
export async function lockedBy(records: Records): Promise<{ idr: bigint; usdc: bigint }> {
  const lists = [NEW, PARTLY].map((status) =>
    records.list<SimulatedOrder>(SIMULATED_EXCHANGE_PROVIDER, ORDER, { where: { status } }),
  );
  const locked = { idr: 0n, usdc: 0n };
  for (const order of (await Promise.all(lists)).flat()) {
    const { quote, base } = leftOf(order, 10_000n);
    if (order.side === 'sell') locked.usdc += base ?? 0n;
    else if (quote !== undefined) locked.idr += quote;
    else locked.idr += divide((base ?? 0n) * idr(order.price ?? '0'), 1_000_000n, 'up');
  }
  return locked;
}

/** Brings an open one on, as far as the exchange does: what it trades moves the account, once. */
async function advance(world: World, order: SimulatedOrder): Promise<SimulatedOrder> {
  const behaviour = await behaviourOf(world.records);
  if (behaviour.orders === 'hold') return order;
  return world.records.atomic(async (records) => {
    let fresh: readonly Fill[] = [];
    const now = await records.update<SimulatedOrder>(
      SIMULATED_EXCHANGE_PROVIDER,
      ORDER,
      order.id,
      (kept) => {
        if (!isOpen(kept)) return undefined;
        if (behaviour.orders === 'reject') return { ...kept, status: REJECTED, fills: [] };
        if (behaviour.orders === 'half' && kept.status === PARTLY) return undefined;
        fresh = tradesOf(kept, behaviour);
        const fills = [...kept.fills, ...fresh];
        return { ...kept, fills, status: statusOf({ ...kept, fills }, behaviour) };
      },
    );
    if (now === undefined) return (await orderOf(records, order.id)) ?? order;
    if (await moveSimulatedBalance(records, movedBy({ ...now, fills: fresh }))) return now;
    const fills = now.fills.slice(0, now.fills.length - fresh.length);
    const poor = { ...now, status: fills.length > 0 ? EXPIRED : REJECTED, fills };
    await records.update<SimulatedOrder>(SIMULATED_EXCHANGE_PROVIDER, ORDER, order.id, () => poor);
    return poor;
  });
}

const idr = (amount: string): bigint => money('IDR', amount).units;
const usdc = (amount: string): bigint => money('USDC', amount).units;
const rupiah = (units: bigint): string => format({ asset: 'IDR', units });
const dollars = (units: bigint): string => format({ asset: 'USDC', units });

/** What is left of it: rupiah where it is asked in rupiah, less the share of a fee in them; else USDC. */
function leftOf(order: SimulatedOrder, share: bigint): { quote?: bigint; base?: bigint } {
  const { asked, quantity, fills } = order;
  if (quantity !== undefined) {
    const done = fills.reduce((sum, { qty }) => sum + usdc(qty), 0n);
    return { base: usdc(quantity) - done };
  }
  const spent = fills.reduce((sum, { quoteQty }) => sum + idr(quoteQty), 0n);
  return { quote: (idr(asked ?? '0') * share) / 10_000n - spent };
}

/** A fee in rupiah comes out of what is asked for. */
const shareOf = ({ fee_asset, fee_points }: Behaviour): bigint =>
  fee_asset === 'IDR' ? 10_000n - BigInt(fee_points) : 10_000n;

/** Its side of the book, where its price lets it. */
function levelsFor({ side, price }: SimulatedOrder, { asks, bids }: Behaviour) {
  if (price === undefined) return side === 'sell' ? bids : asks;
  return side === 'sell'
    ? bids.filter(([offered]) => idr(offered) >= idr(price))
    : asks.filter(([offered]) => idr(offered) <= idr(price));
}

/** Through the book, from the best price on, until the money or the book is at its end. */
function tradesOf(order: SimulatedOrder, behaviour: Behaviour): Fill[] {
  const left = leftOf(order, shareOf(behaviour));
  const parts = behaviour.orders === 'half' ? 2n : 1n;
  let quote = left.quote === undefined ? undefined : left.quote / parts;
  let base = left.base === undefined ? undefined : left.base / parts;
  const fills: Fill[] = [];
  for (const [price, offered] of levelsFor(order, behaviour)) {
    const wanted = base ?? ((quote ?? 0n) * 1_000_000n) / idr(price);
    const qty = wanted < usdc(offered) ? wanted : usdc(offered);
    if (qty === 0n) break;
    const cost = divide(qty * idr(price), 1_000_000n, order.side === 'sell' ? 'down' : 'up');
    if (base !== undefined) base -= qty;
    if (quote !== undefined) quote -= cost;
    fills.push({
      tradeId: `${order.id}-${order.fills.length + fills.length + 1}`,
      price,
      qty: dollars(qty),
      quoteQty: rupiah(cost),
      ...commissionOf(behaviour, qty, cost),
    });
  }
  return fills;
}

function statusOf(order: SimulatedOrder, behaviour: Behaviour): number {
  const { quote, base } = leftOf(order, shareOf(behaviour));
  const cheapest = idr(behaviour.asks[0]?.[0] ?? '1');
  const isWhole =
    order.fills.length > 0 && (base === undefined ? (quote ?? 0n) < cheapest : base === 0n);
  if (isWhole) return FILLED;
  // What has a price waits for it; what has none ends with the book.
  if (order.price === undefined && behaviour.orders !== 'half') return EXPIRED;
  return order.fills.length > 0 ? PARTLY : NEW;
}

function commissionOf({ fee_points, fee_asset }: Behaviour, qty: bigint, cost: bigint) {
  const share = (units: bigint) => divide(units * BigInt(fee_points), 10_000n, 'down');
  const inRupiah = fee_asset === 'IDR';
  const commission = inRupiah ? rupiah(share(cost)) : dollars(share(qty));
  return { commission, commissionAsset: fee_asset };
}

/** What it does to our account. */
function movedBy({ side, fills }: SimulatedOrder) {
  const fee = (asset: string, unitsOf: (amount: string) => bigint) => (one: Fill) =>
    one.commissionAsset === asset ? unitsOf(one.commission) : 0n;
  const sum = (of: (fill: Fill) => bigint) => fills.reduce((total, one) => total + of(one), 0n);
  const sign = side === 'sell' ? -1n : 1n;
  return {
    idr: -sign * sum((one) => idr(one.quoteQty)) - sum(fee('IDR', idr)),
    usdc: sign * sum((one) => usdc(one.qty)) - sum(fee('USDC', usdc)),
  };
}

/** As the wire tells it. */
export function shownOrder(order: SimulatedOrder) {
  const { id, at, clientId, side, asked = '0', quantity = '0', price, status, fills } = order;
  const qty = fills.reduce((sum, one) => sum + usdc(one.qty), 0n);
  const cost = fills.reduce((sum, one) => sum + idr(one.quoteQty), 0n);
  return {
    orderId: id,
    bOrderListId: '-1',
    clientId,
    bOrderId: id,
    symbol: MARKET,
    symbolType: 3,
    side: side === 'sell' ? 1 : 0,
    type: price === undefined ? 2 : 1,
    price: price ?? '0',
    origQty: quantity,
    origQuoteQty: asked,
    executedQty: dollars(qty),
    executedPrice: qty === 0n ? '0' : rupiah((cost * 1_000_000n) / qty),
    executedQuoteQty: rupiah(cost),
    timeInForce: 1,
    stopPrice: '0',
    icebergQty: '0',
    status,
    createTime: at,
  };
}

export const shownFills = ({ id, at, side, fills }: SimulatedOrder) =>
  fills.map((fill) => ({
    ...fill,
    orderId: id,
    symbol: MARKET,
    isBuyer: side === 'sell' ? 0 : 1,
    isMaker: 0,
    isBestMatch: 1,
    time: String(at),
  }));
