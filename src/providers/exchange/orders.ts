import { format } from '#kernel/money/money.ts';
import { done, type Outcome, refused, unknown } from '../../kernel/provider-call.ts';
import { ask } from './ccxt.ts';
import { type Client, LISTED_MAX, SYMBOL } from './client.ts';
import type { Bought, Purchase } from './port.ts';
import {
  CcxtOrder,
  CcxtOrders,
  type CcxtTrade,
  CcxtTrades,
  exchangeUnitsOf,
  finest,
  fromFinest,
} from './wire.ts';

/** Sends an order at the market. */
export async function buy(
  client: Client,
  { reference, units }: Purchase,
): Promise<Outcome<Bought>> {
  const cost = format({ asset: 'IDR', units });
  const params = { cost, clientOrderId: reference };
  const order = await ask(CcxtOrder, async () =>
    (await client()).createOrder(SYMBOL, 'market', 'buy', 0, undefined, params),
  );
  return order.kind === 'done' ? endOf(client, order.value) : order;
}

/** Orders since then, as the exchange lists them. */
export const listOrders = (
  client: Client,
  startTime: number,
  limit = LISTED_MAX,
): Promise<Outcome<CcxtOrder[]>> =>
  ask(CcxtOrders, async () =>
    (await client()).fetchOrders(SYMBOL, undefined, undefined, { startTime, limit }),
  );

const ENDED = ['closed', 'canceled', 'expired', 'rejected'];

/** Its result, with the fees, which only its fills have. */
export async function endOf(client: Client, order: CcxtOrder): Promise<Outcome<Bought>> {
  if (!ENDED.includes(order.status)) return unknown(`The order is ${order.status}`);
  if (finest(order.filled) === 0n && finest(order.cost) === 0n)
    return refused('NOT_FILLED', `The order is ${order.status} and has bought nothing`);
  const fills = await ask(CcxtTrades, async () =>
    (await client()).fetchMyTrades(SYMBOL, undefined, LISTED_MAX, { orderId: order.id }),
  );
  return fills.kind === 'done' ? toBought(order, fills.value) : fills;
}

/** Each amount rounded to its whole unit, in favour of the books, which hold the debt. */
export function toBought(order: CcxtOrder, fills: readonly CcxtTrade[]): Outcome<Bought> {
  const own = fills.filter(({ order: of }) => of === order.id);
  const filled = own.reduce((sum, { amount }) => sum + finest(amount), 0n);
  if (filled !== finest(order.filled)) return unknown('The list lacks some of its fills');
  const fees = { IDR: 0n, USDC: 0n };
  for (const { fee } of own) {
    const { currency, cost = '0' } = fee;
    if (currency === 'IDR' || currency === 'USDC') fees[currency] += finest(cost);
    // A fee in another coin has no account: people have to resolve it.
    else if (finest(cost) > 0n) return unknown(`It took a fee in ${currency ?? 'an unnamed coin'}`);
  }
  const feeIdr = fromFinest('IDR', fees.IDR, 'up');
  return done({
    id: order.id,
    spent: exchangeUnitsOf('IDR', order.cost, 'up') + feeIdr,
    bought: exchangeUnitsOf('USDC', order.filled, 'down'),
    feeIdr,
    feeUsdc: fromFinest('USDC', fees.USDC, 'up'),
  });
}
