import type { EmittedFacts } from '#kernel/events/emit.ts';
import type { PaymentObject } from '#kernel/feature.ts';
import type { Metrics } from '#kernel/metrics.ts';

/** Fields that name a currency, the first that an event has. */
const CURRENCIES = ['currency', 'currency_code', 'currency_from', 'token', 'token_symbol'] as const;
const RUPIAH = ['amount_idr', 'batch_amount_idr'] as const;
/** Makers of tokens choose their symbols, and each symbol is a series for good. */
const CURRENCIES_MAX = 40;
const CURRENCY = /^[A-Za-z0-9]{2,8}$/;

/**
 * Counts how payments end, by their events: once committed, in the process that ended them. A feature that lists
 * its payment objects is counted and does nothing else for it.
 */
export function countPayments(
  metrics: Metrics,
  objects: readonly PaymentObject[],
): (events: readonly EmittedFacts[]) => void {
  const payments = metrics.counter(
    'archipay_payments_total',
    'What became of payments, by rail, kind, result and currency',
    ['rail', 'kind', 'result', 'currency'],
  );
  const resultOf = resultFinder(objects);
  const known = new Set<string>();
  const bounded = (currency: string): string => {
    if (!CURRENCY.test(currency)) return 'other';
    if (!known.has(currency) && known.size >= CURRENCIES_MAX) return 'other';
    known.add(currency);
    return currency;
  };
  return (events) => {
    for (const { type, data } of events) {
      const [kind = '', verb = ''] = type.split('.');
      const payment = objects.find(({ object }) => object === kind);
      if (payment === undefined) continue;
      const rail = typeof data['rail'] === 'string' ? data['rail'] : payment.rail;
      payments({ rail, kind, result: resultOf(verb, data), currency: bounded(currencyOf(data)) });
    }
  };
}

/** A decline by the payer's bank or card is no failure of ours, nor of a provider. */
function resultFinder(objects: readonly PaymentObject[]) {
  return (verb: string, { rail, failure }: EmittedFacts['data']): string => {
    if (verb !== 'failed' || typeof failure !== 'string') return verb;
    const isDeclined = objects.some((one) => one.rail === rail && one.isDecline?.(failure));
    return isDeclined ? 'declined' : verb;
  };
}

function currencyOf(data: Readonly<Record<string, unknown>>): string {
  const name = CURRENCIES.find((one) => typeof data[one] === 'string');
  if (name !== undefined) return String(data[name]);
  return RUPIAH.some((one) => one in data) ? 'IDR' : 'other';
}
