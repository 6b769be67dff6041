import { done } from '../../kernel/provider-call.ts';
import { ask } from './ccxt.ts';
import { createExchangeClient, type ExchangeSettings } from './client.ts';
import { createFinder } from './look-up.ts';
import {
  depositsSince,
  exchangeReferenceOf,
  listWithdrawals,
  toWithdrawal,
  withdrawExchange,
} from './movements.ts';
import { buy, endOf, listOrders } from './orders.ts';
import type { ExchangePort } from './port.ts';
import { createPricing } from './price.ts';
import { answerStatement } from './statement.ts';
import { CcxtBalances, exchangeUnitsOf } from './wire.ts';

/** Speaks to an exchange through ccxt. */
export function exchangeAdapter(settings: ExchangeSettings): ExchangePort {
  const client = createExchangeClient(settings);
  const findOrder = createFinder(
    (since) => listOrders(client, since),
    ({ clientOrderId }) => clientOrderId,
  );
  const findSent = createFinder((since) => listWithdrawals(client, since), exchangeReferenceOf);
  return {
    async balances() {
      const balances = await ask(CcxtBalances, async () => (await client()).fetchBalance());
      if (balances.kind !== 'done') return balances;
      const { IDR, USDC } = balances.value;
      return done({
        idr: exchangeUnitsOf('IDR', IDR?.total ?? '0', 'down'),
        usdc: exchangeUnitsOf('USDC', USDC?.total ?? '0', 'down'),
      });
    },
    price: createPricing(client),
    buy: (purchase) => buy(client, purchase),
    async findPurchase(sought) {
      const order = await findOrder(sought);
      if (order.kind !== 'done') return order;
      return order.value ? endOf(client, order.value) : done(undefined);
    },
    withdraw: (request) => withdrawExchange(client, settings.id, request),
    async findWithdrawal(sought) {
      const sent = await findSent(sought);
      return sent.kind === 'done' ? done(sent.value && toWithdrawal(sent.value)) : sent;
    },
    deposits: (since) => depositsSince(client, since),
    statement: (window, after) => answerStatement(client, window, after),
  };
}
