/**
 * A process of its own for the crash test: begins a top-up from a bank account, or links or unlinks one, and
 * hangs at the given point.
 */

import type { BankLink } from '#providers/plaid/port.ts';
import { bankParts, type Place, type Wish } from './bank-link-parts.ts';

export interface Orders extends Place, Wish {
  /** The call, before its request or after its answer. */
  readonly hangs: readonly [
    'authorize' | 'createTransfer' | 'exchange' | 'removeItem',
    'before' | 'after',
  ];
  /** The public token of the exchange. */
  readonly publicToken?: string;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
const [call, when] = orders.hangs;
const parts = bankParts(orders, hanging);
if (call === 'exchange') await parts.connect(orders, orders.publicToken ?? '');
else if (call === 'removeItem') await parts.disconnect(orders);
else await parts.topUp(orders);

function hanging(real: BankLink): BankLink {
  const at =
    <A extends unknown[], R>(name: typeof call, make: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (name !== call) return make(...args);
      if (when === 'after') await make(...args);
      return hang();
    };
  return {
    ...real,
    authorize: at('authorize', real.authorize),
    createTransfer: at('createTransfer', real.createTransfer),
    exchange: at('exchange', real.exchange),
    removeItem: at('removeItem', real.removeItem),
  };
}

function hang(): Promise<never> {
  setInterval(() => undefined, 1000);
  process.stdout.write('hangs\n');
  return new Promise(() => undefined);
}
