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
  MARKET,
  MIN_NOTIONAL,
  orderOf,
  ordersSince,
  shownFills,
  shownOrder,
} from './simulated-orders.ts';
import { faultOf, refuseAsExchange, success } from './simulated-wire.ts';

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
    const { asks } = await behaviourOf(world.records);
    return success(world, { lastUpdateId: 1, bids: [], asks });
  });
}

const LISTED_MAX = 1000;
interface Listed {
  Querystring: {
    readonly startTime?: string;
    readonly endTime?: string;
    readonly limit?: string;
    readonly orderId?: string;
  };
}

const windowOf = ({ startTime = '0', limit = '500' }: Listed['Querystring']) =>
  [Number(startTime), Math.min(Number(limit) || 1, LISTED_MAX)] as const;

function accountEndpoints(server: FastifyInstance, world: World): void {
  server.get('/open/v1/account/spot', async () => {
    const { idr, usdc } = await simulatedExchangeAccountOf(world.records);
    const accountAssets = [
      { asset: 'IDR', free: format({ asset: 'IDR', units: idr }), locked: '0' },
      { asset: 'USDC', free: format({ asset: 'USDC', units: usdc }), locked: '0' },
    ];
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

const Order = Type.Object({
  symbol: Type.String(),
  side: Type.Literal('0'),
  type: Type.Literal('2'),
  quoteOrderQty: Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,2})?$' }),
  clientId: Type.String({ minLength: 1, maxLength: 36 }),
});

function orderEndpoints(server: FastifyInstance, world: World): void {
  server.post('/open/v1/orders', async ({ body }, reply) => {
    if (!Value.Check(Order, body)) return refuseAsExchange(reply, 'parameter');
    const { units } = money('IDR', body.quoteOrderQty);
    if (body.symbol !== MARKET) return refuseAsExchange(reply, 'symbol');
    if (units < MIN_NOTIONAL) return refuseAsExchange(reply, 'notional');
    if ((await simulatedExchangeAccountOf(world.records)).idr < units)
      return refuseAsExchange(reply, 'funds');
    const order = await addOrder(world, { clientId: body.clientId, asked: body.quoteOrderQty });
    return success(world, shownOrder(order));
  });

  server.get<Listed>('/open/v1/orders', async ({ query }) => {
    const page = (await ordersSince(world, ...windowOf(query))).map(shownOrder);
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

const Withdrawal = Type.Object({
  asset: Type.Literal('USDC'),
  network: Type.String(),
  address: Type.String({ minLength: 10, maxLength: 100 }),
  amount: Type.String({ pattern: '^\\d{1,12}(\\.\\d{1,6})?$' }),
  clientId: Type.String({ minLength: 1, maxLength: 64 }),
});

function withdrawalEndpoints(server: FastifyInstance, world: World, taps: Taps): void {
  server.post('/open/v1/withdraws', async ({ body }, reply) => {
    if (!Value.Check(Withdrawal, body)) return refuseAsExchange(reply, 'parameter');
    const { asset: _, ...asked }: Static<typeof Withdrawal> = body;
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
