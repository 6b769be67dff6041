/** A process of its own for the crash test: begins a top-up from a bank account, and hangs where it is told. */

import type { BankLink } from '#providers/plaid/port.ts';
import { bankParts, type Place, type Wish } from './bank-link-parts.ts';

export interface Orders extends Place, Wish {
  /** In which call, before anything is said or after it was heard. */
  readonly hangs: readonly ['authorize' | 'createTransfer', 'before' | 'after'];
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
await bankParts(orders, hanging).topUp(orders);

function hanging(real: BankLink): BankLink {
  const [call, when] = orders.hangs;
  const hang = async (): Promise<never> => {
    setInterval(() => undefined, 1000);
    process.stdout.write('hangs\n');
    return new Promise(() => undefined);
  };
  return {
    ...real,
    async authorize(request) {
      if (call === 'authorize' && when === 'after') await real.authorize(request);
      return call === 'authorize' ? hang() : real.authorize(request);
    },
    async createTransfer(request) {
      if (call === 'createTransfer' && when === 'after') await real.createTransfer(request);
      return call === 'createTransfer' ? hang() : real.createTransfer(request);
    },
  };
}
