import { luhn } from './card.ts';

/** The answers of the test cards' issuers; every other card that satisfies Luhn is approved. */
const DECLINES: Readonly<Record<string, string>> = {
  '4000000000000002': '05',
  '4000000000009995': '51',
};
/** Its issuer approves and the answer gets lost. */
const SILENT = '4000000000000119';

/** Its issuer approves later than the network waits for it. */
const LATE = '4000000000000127';

export const answersLate = (number: string): boolean => number === LATE;
export const goesSilent = (number: string): boolean => number === SILENT;

/**
 * ISO 8583's response code for taking money from a card; `month` is the present one, `YYYY-MM`. Without an expiry date the card counts as not expired.
 */
export function decideCharge(number: string, expiry: string | undefined, month: string): string {
  if (!luhn(number)) return '14';
  if (expiry !== undefined && expiry < month) return '54';
  return DECLINES[number] ?? '00';
}

/** Paying to a card does not depend on its funds. */
export function decideCredit(number: string): string {
  if (!luhn(number)) return '14';
  return DECLINES[number] === '05' ? '05' : '00';
}

/** A query about a card moves nothing, so a lack of funds does not matter either. */
export function decideValidation(number: string, expiry: string, month: string): string {
  const decision = decideCharge(number, expiry, month);
  return decision === '00' || decision === '51' ? '85' : decision;
}
