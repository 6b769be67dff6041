import { luhn } from './card.ts';

/** What the issuers of the test cards answer; every other card that satisfies Luhn is good. */
const DECLINES: Readonly<Record<string, string>> = {
  '4000000000000002': '05',
  '4000000000009995': '51',
};
/** Its issuer agrees and then says nothing. */
const SILENT = '4000000000000119';

export const goesSilent = (number: string): boolean => number === SILENT;

/**
 * ISO 8583's response code for taking money from a card; `month` is the present one, `YYYY-MM`. Whoever
 * does not tell when the card expires is not told that it has.
 */
export function decideCharge(number: string, expiry: string | undefined, month: string): string {
  if (!luhn(number)) return '14';
  if (expiry !== undefined && expiry < month) return '54';
  return DECLINES[number] ?? '00';
}

/** Paying to a card asks nothing of what is on it. */
export function decideCredit(number: string): string {
  if (!luhn(number)) return '14';
  return DECLINES[number] === '05' ? '05' : '00';
}

/** Asking about a card moves nothing, so a lack of funds does not matter either. */
export function decideValidation(number: string, expiry: string, month: string): string {
  const decision = decideCharge(number, expiry, month);
  return decision === '00' || decision === '51' ? '85' : decision;
}
