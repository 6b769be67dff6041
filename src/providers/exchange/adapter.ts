import { done } from '../provider.ts';
import { ask } from './ccxt.ts';
import { createClient, type ExchangeSettings } from './client.ts';
import { depositsSince, findWithdrawal, withdraw } from './movements.ts';
import { buy, findPurchase } from './orders.ts';
import type { Exchange } from './port.ts';
import { tellStatement } from './statement.ts';
import { CcxtBalances, unitsOf } from './wire.ts';

/** Speaks to an exchange through ccxt. */
export function exchange(settings: ExchangeSettings): Exchange {
  const client = createClient(settings);
  return {
    async balances() {
      const told = await ask(CcxtBalances, async () => (await client()).fetchBalance());
      if (told.kind !== 'done') return told;
      const { IDR, USDC } = told.value;
      return done({
        idr: unitsOf('IDR', IDR?.total ?? '0', 'down'),
        usdc: unitsOf('USDC', USDC?.total ?? '0', 'down'),
      });
    },
    buy: (purchase) => buy(client, purchase),
    findPurchase: (sought) => findPurchase(client, sought),
    withdraw: (request) => withdraw(client, settings.id, request),
    findWithdrawal: (sought) => findWithdrawal(client, sought),
    deposits: (since) => depositsSince(client, since),
    statement: (window, after) => tellStatement(client, window, after),
  };
}
