import { requireTransferable } from '#features/fiat/payouts/payouts.ts';
import { wrongField } from '#kernel/error.ts';
import type { Money } from '#kernel/money/money.ts';
import type { InvoiceDeps } from '../deps.ts';

const RUPIAH = 100n;

/** Refuses what banks do not transfer. */
export function requireWholeRupiah({ prices }: Pick<InvoiceDeps, 'prices'>, money: Money): void {
  if (money.units % RUPIAH !== 0n)
    throw wrongField('amount', 'must be whole rupiah: banks transfer no cents');
  requireTransferable(prices, money, 'amount');
}
