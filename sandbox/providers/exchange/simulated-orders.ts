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
/** Of the wire: new, filled, refused, and ended before all of it was bought. */
const NEW = 0;
const FILLED = 2;
const REJECTED = 5;
const EXPIRED = 6;
export const MIN_NOTIONAL = 10_000_00n;

interface Fill {
  readonly tradeId: string;
  readonly price: string;
  readonly qty: string;
  readonly quoteQty: string;
  readonly commission: string;
  readonly commissionAsset: string;
}

/** An order to buy at the market; amounts are decimals in whole coins. */
export interface SimulatedOrder {
  readonly id: string;
  readonly at: number;
  readonly clientId: string;
  readonly asked: string;
  readonly status: number;
  readonly fills: readonly Fill[];
}

/** The name of our own is not looked at: an order that is sent twice is two orders. */
export async function addOrder(
  world: World,
  { clientId, asked }: Pick<SimulatedOrder, 'clientId' | 'asked'>,
): Promise<SimulatedOrder> {
  const at = world.clock.now().getTime();
  const order = { id: `${randomInt(1e14)}`, at, clientId, asked, status: NEW, fills: [] };
  await world.records.insert(SIMULATED_EXCHANGE_PROVIDER, ORDER, order.id, order);
  return advance(world, order);
}

export async function ordersSince(world: World, since: number, limit: number) {
  const found = await listedSince<SimulatedOrder>(world.records, ORDER, since, limit);
  const all: SimulatedOrder[] = [];
  for (const order of found) all.push(order.status === NEW ? await advance(world, order) : order);
  return all;
}

export const orderOf = (records: Records, id: string): Promise<SimulatedOrder | undefined> =>
  records.get<SimulatedOrder>(SIMULATED_EXCHANGE_PROVIDER, ORDER, id);

/** Brings a new one to its end, once, where the exchange does not keep it open. */
async function advance(world: World, order: SimulatedOrder): Promise<SimulatedOrder> {
  const behaviour = await behaviourOf(world.records);
  if (behaviour.orders === 'hold') return order;
  const ended =
    behaviour.orders === 'reject' ? { status: REJECTED, fills: [] } : filled(order, behaviour);
  return world.records.atomic(async (records) => {
    const now = await records.update<SimulatedOrder>(
      SIMULATED_EXCHANGE_PROVIDER,
      ORDER,
      order.id,
      (kept) => (kept.status === NEW ? { ...kept, ...ended } : undefined),
    );
    if (now === undefined) return (await orderOf(records, order.id)) ?? order;
    const moved = await moveSimulatedBalance(records, movedBy(now));
    if (moved) return now;
    const poor = { ...now, status: REJECTED, fills: [] };
    await records.update<SimulatedOrder>(SIMULATED_EXCHANGE_PROVIDER, ORDER, order.id, () => poor);
    return poor;
  });
}

const idr = (amount: string): bigint => money('IDR', amount).units;
const usdc = (amount: string): bigint => money('USDC', amount).units;
const rupiah = (units: bigint): string => format({ asset: 'IDR', units });
const dollars = (units: bigint): string => format({ asset: 'USDC', units });

/** Through the book, from the cheapest on, until the money or the book is at its end. */
function filled({ id, asked }: SimulatedOrder, behaviour: Behaviour) {
  // A fee in rupiah comes out of what is asked for.
  const share = behaviour.fee_asset === 'IDR' ? 10_000n - BigInt(behaviour.fee_points) : 10_000n;
  let left = (idr(asked) * share) / 10_000n;
  const fills: Fill[] = [];
  for (const [price, offered] of behaviour.asks) {
    const affordable = (left * 1_000_000n) / idr(price);
    const qty = affordable < usdc(offered) ? affordable : usdc(offered);
    if (qty === 0n) break;
    const cost = divide(qty * idr(price), 1_000_000n, 'up');
    left -= cost;
    fills.push({
      tradeId: `${id}-${fills.length + 1}`,
      price,
      qty: dollars(qty),
      quoteQty: rupiah(cost),
      ...commissionOf(behaviour, qty, cost),
    });
  }
  const isWhole = fills.length > 0 && left < idr(behaviour.asks[0]?.[0] ?? '1');
  return { status: isWhole ? FILLED : EXPIRED, fills };
}

function commissionOf({ fee_points, fee_asset }: Behaviour, qty: bigint, cost: bigint) {
  const share = (units: bigint) => divide(units * BigInt(fee_points), 10_000n, 'down');
  const inRupiah = fee_asset === 'IDR';
  const commission = inRupiah ? rupiah(share(cost)) : dollars(share(qty));
  return { commission, commissionAsset: fee_asset };
}

/** What it did to our account. */
function movedBy({ fills }: SimulatedOrder) {
  const fee = (asset: string, unitsOf: (amount: string) => bigint) => (one: Fill) =>
    one.commissionAsset === asset ? unitsOf(one.commission) : 0n;
  const sum = (of: (fill: Fill) => bigint) => fills.reduce((total, one) => total + of(one), 0n);
  return {
    idr: -(sum((one) => idr(one.quoteQty)) + sum(fee('IDR', idr))),
    usdc: sum((one) => usdc(one.qty)) - sum(fee('USDC', usdc)),
  };
}

/** As the wire tells it. */
export function shownOrder(order: SimulatedOrder) {
  const { id, at, clientId, asked, status, fills } = order;
  const qty = fills.reduce((sum, one) => sum + usdc(one.qty), 0n);
  const cost = fills.reduce((sum, one) => sum + idr(one.quoteQty), 0n);
  return {
    orderId: id,
    bOrderListId: '-1',
    clientId,
    bOrderId: id,
    symbol: MARKET,
    symbolType: 3,
    side: 0,
    type: 2,
    price: '0',
    origQty: '0',
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

export const shownFills = ({ id, at, fills }: SimulatedOrder) =>
  fills.map((fill) => ({
    ...fill,
    orderId: id,
    symbol: MARKET,
    isBuyer: 1,
    isMaker: 0,
    isBestMatch: 1,
    time: String(at),
  }));
