import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { scope } from '#kernel/http/declare/scope.ts';
import { format, money } from '#kernel/money/money.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { spoilStatement } from '#sandbox/statement-faults.ts';
import { readFormBodies } from '../messages/forms.ts';
import {
  PREFIX,
  SIMULATED_EXCHANGE_PROVIDER,
  simulatedExchangeAccountOf,
} from './simulated-account.ts';
import { behaviourControls, behaviourOf } from './simulated-behaviour.ts';
import { depositControl } from './simulated-deposits.ts';
import {
  addWithdrawal,
  MIN_WITHDRAWAL,
  NETWORK_FEES,
  shownDeposit,
  shownWithdrawal,
  simulatedDepositsSince,
  type Taps,
  withdrawalsSince,
} from './simulated-movements.ts';
import {
  addOrder,
  cancelOrder,
  lockedBy,
  MARKET,
  MIN_NOTIONAL,
  orderNow,
  orderOf,
  ordersSince,
  shownFills,
  shownOrder,
} from './simulated-orders.ts';
import { FAULTS, faultOf, refuseAsExchange, success } from './simulated-wire.ts';

export type ExchangeCredentials = Pick<
  Config,
  'EXCHANGE_KEY' | 'EXCHANGE_SECRET' | 'GATEWAY_CALLBACK_TOKEN'
>;

/** Plays Tokocrypto: a market of USDC for rupiah, our account there, and its withdrawals. */
export const exchangeSimulator = (credentials: ExchangeCredentials, taps: Taps): Simulator => ({
  provider: SIMULATED_EXCHANGE_PROVIDER,
  prefix: PREFIX,
  refusal: (_status, code, msg) => ({ code: Number(code) || -1003, msg }),
  wire(server, world) {
    readFormBodies(server);
    server.setNotFoundHandler((_, reply) => {
      const [code, msg] = FAULTS.unsupported;
      return reply.code(404).send({ code, msg });
    });
    publicEndpoints(server, world);
    scope(server, 'exchange account', (own) => {
      own.addHook('preHandler', async (request, reply) => {
        const fault = faultOf(world, credentials, request);
        if (fault) return refuseAsExchange(reply, fault);
      });
      accountEndpoints(own, world);
      orderEndpoints(own, world);
      withdrawalEndpoints(own, world, taps);
    });
  },
  controls(server, world) {
    behaviourControls(server, world);
    depositControl(server, world, credentials.GATEWAY_CALLBACK_TOKEN);
  },
});

const SYMBOL = {
  type: 3,
  symbol: MARKET,
  baseAsset: 'USDC',
  basePrecision: 6,
  quoteAsset: 'IDR',
  quotePrecision: 2,
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '1', maxPrice: '1000000', tickSize: '0.01' },
    { filterType: 'LOT_SIZE', minQty: '0.01', maxQty: '90000000', stepSize: '0.000001' },
    { filterType: 'MIN_NOTIONAL', minNotional: '10000', applyToMarket: true },
  ],
  orderTypes: ['LIMIT', 'MARKET'],
  icebergEnable: 0,
  ocoEnable: 0,
  spotTradingEnable: 1,
  marginTradingEnable: 0,
  permissions: ['SPOT'],
};

function publicEndpoints(server: FastifyInstance, world: World): void {
  server.get('/open/v1/common/symbols', async () => success(world, { list: [SYMBOL] }));
  server.get('/open/v1/common/time', async () => success(world, {}));
  server.get('/open/v1/market/depth', async () => {
    const { asks, bids } = await behaviourOf(world.records);
    return success(world, { lastUpdateId: world.clock.now().getTime(), bids, asks });
  });
  server.get('/open/v1/market/agg-trades', async () => {
    const orders = await ordersSince(world, 0, LISTED_MAX);
    const list = orders.flatMap(shownFills).map(({ tradeId, price, qty, time, isBuyer }) => ({
      a: tradeId,
      p: price,
      q: qty,
      T: Number(time),
      m: isBuyer === 0,
    }));
    return success(world, { list });
  });
}

const LISTED_MAX = 1000;
interface Listed {
  Querystring: {
    readonly startTime?: string;
    readonly endTime?: string;
    readonly limit?: string;
    readonly orderId?: string;
    readonly type?: string;
  };
}

const windowOf = ({ startTime = '0', limit = '500' }: Listed['Querystring']) =>
  [Number(startTime), Math.min(Number(limit) || 1, LISTED_MAX)] as const;

function accountEndpoints(server: FastifyInstance, world: World): void {
  server.get('/open/v1/account/spot', async () => {
    const { idr, usdc } = await simulatedExchangeAccountOf(world.records);
    const locked = await lockedBy(world.records);
    const shown = (asset: 'IDR' | 'USDC', all: bigint, kept: bigint) => ({
      asset,
      free: format({ asset, units: all - kept }),
      locked: format({ asset, units: kept }),
    });
    const accountAssets = [shown('IDR', idr, locked.idr), shown('USDC', usdc, locked.usdc)];
    return success(world, { canTrade: 1, canWithdraw: 1, canDeposit: 1, accountAssets });
  });

  server.get<Listed>('/open/v1/deposits', async ({ query }) => {
    const page = (await simulatedDepositsSince(world, ...windowOf(query))).map(shownDeposit);
    const list = await spoilStatement(world, SIMULATED_EXCHANGE_PROVIDER, page, {
      reference: ({ txId }) => txId,
      double: (one) => ({ ...one, id: `${one.id}0` }),
      alter: (one) => ({ ...one, amount: plus(one.amount) }),
    });
    return success(world, { list });
  });
}

/** Another amount: one more of the coin. */
const plus = (amount: string): string => {
  const [whole = '0', rest] = amount.split('.');
  return `${BigInt(whole) + 1n}${rest === undefined ? '' : `.${rest}`}`;
};

const Decimal = Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,8})?$' });
/** What the exchange documents of it; what it does not play is refused by its code. */
const Order = Type.Object({
  symbol: Type.String(),
  side: Type.String(),
  type: Type.String(),
  quoteOrderQty: Type.Optional(Decimal),
  quantity: Type.Optional(Decimal),
  price: Type.Optional(Decimal),
  clientId: Type.Optional(Type.String({ minLength: 1, maxLength: 36 })),
});

type NewOrder = Omit<Parameters<typeof addOrder>[1], 'clientId'>;

/** Limit and market, to buy and to sell; or why the exchange does not take it. */
function orderIn(body: Static<typeof Order>): NewOrder | keyof typeof FAULTS {
  const { symbol, side, type, quoteOrderQty: asked, quantity, price } = body;
  if (symbol !== MARKET) return 'symbol';
  if ((side !== '0' && side !== '1') || (type !== '1' && type !== '2')) return 'unsupported';
  const isLimit = type === '1';
  if (isLimit && price === undefined) return 'parameter';
  if (quantity === undefined && (isLimit || side === '1' || asked === undefined))
    return 'parameter';
  if (isLimit && !/^\d+(\.\d{1,2})?$/.test(price ?? '')) return 'price';
  if (quantity !== undefined && !/^\d+(\.\d{1,6})?$/.test(quantity)) return 'lot';
  if (quantity !== undefined && money('USDC', quantity).units < MIN_LOT) return 'lot';
  const size = quantity === undefined ? { asked } : { quantity };
  return { ...size, side: side === '1' ? 'sell' : 'buy', ...(isLimit && { price }) } as NewOrder;
}

const MIN_LOT = 10_000n;

/** What it may cost, in units of what it is paid with. */
function costOf({ side, asked, quantity = '0', price }: NewOrder, best: string) {
  const usdc = money('USDC', quantity).units;
  if (side === 'sell') return { idr: 0n, usdc };
  const idr =
    asked === undefined
      ? (usdc * money('IDR', price ?? best).units) / 1_000_000n
      : money('IDR', asked).units;
  return { idr, usdc: 0n };
}

function orderEndpoints(server: FastifyInstance, world: World): void {
  server.post('/open/v1/orders', async ({ body }, reply) => {
    if (!Value.Check(Order, body)) return refuseAsExchange(reply, 'parameter');
    const wanted = orderIn(body);
    if (typeof wanted === 'string') return refuseAsExchange(reply, wanted);
    const { asks, bids } = await behaviourOf(world.records);
    const best = (wanted.side === 'sell' ? bids : asks)[0]?.[0] ?? '0';
    const cost = costOf(wanted, best);
    const worth = cost.usdc * money('IDR', wanted.price ?? best).units;
    if (cost.idr + worth / 1_000_000n < MIN_NOTIONAL) return refuseAsExchange(reply, 'notional');
    const has = await simulatedExchangeAccountOf(world.records);
    const locked = await lockedBy(world.records);
    if (has.idr - locked.idr < cost.idr || has.usdc - locked.usdc < cost.usdc)
      return refuseAsExchange(reply, 'funds');
    const { clientId = `x-${randomUUID().slice(0, 30)}` } = body;
    return success(world, shownOrder(await addOrder(world, { ...wanted, clientId })));
  });
  server.post<{ Body: { readonly orderId?: string } }>(
    '/open/v1/orders/cancel',
    async ({ body }, reply) => {
      const order = await cancelOrder(world.records, String(body?.orderId ?? ''));
      return order ? success(world, shownOrder(order)) : refuseAsExchange(reply, 'cancelled');
    },
  );

  server.get<Listed>('/open/v1/orders', async ({ query }, reply) => {
    if (query.orderId !== undefined) {
      const one = await orderNow(world, query.orderId);
      return one ? success(world, { list: [shownOrder(one)] }) : refuseAsExchange(reply, 'order');
    }
    const all = (await ordersSince(world, ...windowOf(query))).map(shownOrder);
    const page = all.filter(({ status }) => isListed(query.type, status));
    const list = await spoilStatement(world, SIMULATED_EXCHANGE_PROVIDER, page, {
      reference: ({ clientId }) => clientId,
      double: (one) => ({ ...one, createTime: one.createTime + 1 }),
      alter: (one) => ({ ...one, executedQuoteQty: plus(one.executedQuoteQty) }),
    });
    return success(world, { list });
  });

  server.get<Listed>('/open/v1/orders/trades', async ({ query }) => {
    const order = await orderOf(world.records, query.orderId ?? '');
    return success(world, { list: order ? shownFills(order) : [] });
  });
}

/** Of the wire: 1 lists what is open, 2 what has ended. */
const isListed = (type: string | undefined, status: number): boolean =>
  type === '1' ? status < 2 : type === '2' ? status >= 2 : true;

const Withdrawal = Type.Object({
  asset: Type.Literal('USDC'),
  network: Type.Optional(Type.String()),
  address: Type.String({ minLength: 10, maxLength: 100 }),
  amount: Type.String({ pattern: '^\\d{1,12}(\\.\\d{1,6})?$' }),
  clientId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});

function withdrawalEndpoints(server: FastifyInstance, world: World, taps: Taps): void {
  server.post('/open/v1/withdraws', async ({ body }, reply) => {
    if (!Value.Check(Withdrawal, body)) return refuseAsExchange(reply, 'parameter');
    const { asset: _, network = 'ETH', clientId = '', ...rest }: Static<typeof Withdrawal> = body;
    const asked = { ...rest, network, clientId };
    if (!Object.hasOwn(NETWORK_FEES, asked.network)) return refuseAsExchange(reply, 'network');
    if (money('USDC', asked.amount).units < money('USDC', MIN_WITHDRAWAL).units)
      return refuseAsExchange(reply, 'minimum');
    const made = await addWithdrawal(world, asked);
    return made ? success(world, { withdrawId: made.id }) : refuseAsExchange(reply, 'poor');
  });

  server.get<Listed>('/open/v1/withdraws', async ({ query }) => {
    const found = await withdrawalsSince(world, taps, ...windowOf(query));
    const list = await spoilStatement(
      world,
      SIMULATED_EXCHANGE_PROVIDER,
      found.map(shownWithdrawal),
      {
        reference: ({ clientId }) => clientId,
        double: (one) => ({ ...one, id: `${one.id}0` }),
        alter: (one) => ({ ...one, amount: plus(one.amount) }),
      },
    );
    return success(world, { list });
  });
}
