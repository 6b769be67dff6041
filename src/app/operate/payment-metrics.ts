import { isDecline } from '#features/fiat/cards/cards.ts';
import type { ToldFacts } from '#kernel/events/emit.ts';
import type { Metrics } from '#kernel/metrics.ts';

/** The objects by which money moves, and what each goes over where it does not say so itself. */
const RAILS: Readonly<Record<string, string>> = {
  adjustment: 'operator',
  payment: 'card',
  refund: 'card',
  payout: 'card',
  idr_mint: 'idr_token',
  idr_payment: 'idr_token',
  transfer: 'onchain',
  crosschain_transfer: 'crosschain',
  xrpl_transaction: 'xrpl',
  cardano_order: 'cardano',
  conversion: 'exchange',
  purchase: 'purchase',
  marketplace_order: 'marketplace',
  marketplace_payment: 'marketplace',
};

/** Of which the names are that a currency is told by. */
const CURRENCIES = ['currency', 'currency_code', 'currency_from', 'token', 'token_symbol'] as const;
const RUPIAH = ['amount_idr', 'batch_amount_idr'] as const;
/** Symbols of tokens are their makers' choice, and each is a series for ever. */
const CURRENCIES_MAX = 40;
const CURRENCY = /^[A-Za-z0-9]{2,8}$/;

/**
 * Counts what becomes of money by what is told of it: once committed, by the process that did it. So a
 * rail that tells of its steps is counted, and nothing else has to count.
 */
export function countPayments(metrics: Metrics): (told: readonly ToldFacts[]) => void {
  const payments = metrics.counter(
    'archipay_payments_total',
    'What became of payments, by rail, kind, result and currency',
    ['rail', 'kind', 'result', 'currency'],
  );
  const known = new Set<string>();
  const bounded = (currency: string): string => {
    if (!CURRENCY.test(currency)) return 'other';
    if (!known.has(currency) && known.size >= CURRENCIES_MAX) return 'other';
    known.add(currency);
    return currency;
  };
  return (told) => {
    for (const { type, data } of told) {
      const [kind = '', verb = ''] = type.split('.');
      const usual = RAILS[kind];
      if (usual === undefined) continue;
      const result = resultOf(verb, data);
      const rail = typeof data['rail'] === 'string' ? data['rail'] : usual;
      payments({ rail, kind, result, currency: bounded(currencyOf(data)) });
    }
  };
}

/** What the payer's bank or card decided is no failure of ours, nor of whom we asked. */
function resultOf(verb: string, { rail, failure }: ToldFacts['data']): string {
  const isDeclined =
    (rail === 'bank' && failure === 'refused') ||
    (rail === 'card' && typeof failure === 'string' && isDecline(failure));
  return verb === 'failed' && isDeclined ? 'declined' : verb;
}

/** Whether an object is counted; all that are not move no money by themselves. */
export const isPayment = (object: string): boolean => object in RAILS;

function currencyOf(data: Readonly<Record<string, unknown>>): string {
  const name = CURRENCIES.find((one) => typeof data[one] === 'string');
  if (name !== undefined) return String(data[name]);
  return RUPIAH.some((one) => one in data) ? 'IDR' : 'other';
}
