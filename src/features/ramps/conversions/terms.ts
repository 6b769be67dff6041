/** Where a job is (contract: Conversion job; decisions: 0041). */
const CONVERSION_STATUSES = [
  'PENDING',
  'DISBURSING',
  'WAITING_EXCHANGE',
  'TIMEOUT',
  'TRADING',
  'WITHDRAWING',
  'COMPLETED',
  'FAILED',
] as const;
export type ConversionStatus = (typeof CONVERSION_STATUSES)[number];

/** Units of IDR: 1/100 rupiah. */
export const RUPIAH = 100n;
/** The least that is sent to the exchange. */
export const MIN_AMOUNT = 200_000n * RUPIAH;
/** The most of one disbursement: what a JSON number tells to the cent. */
export const MAX_AMOUNT = 9_999_999_999_999n * RUPIAH;
/** Less than this no exchange trades: what is left of it goes back to the wallet. */
export const MIN_TRADE = 10_000n * RUPIAH;

const HOUR_MS = 3_600_000;
/** So long the exchange is waited for, and so much longer it is still looked whether it came late. */
export const WAIT_MS = 24 * HOUR_MS;
export const LATE_MS = 30 * 24 * HOUR_MS;

/** Of our names at gateway and exchange. */
const PREFIX = 'ARC';
export const DISBURSEMENT_PREFIX = `${PREFIX}-DISB`;
export const ORDER_PREFIX = `${PREFIX}-T`;
export const WITHDRAWAL_PREFIX = `${PREFIX}-W`;

const FIRST_PAUSE_MS = 5 * 60_000;
const PAUSE_MAX_MS = 24 * HOUR_MS;

/** How long what was refused is left alone, after so many tries in a row. */
export const pauseAfter = (tries: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 20), PAUSE_MAX_MS);

/** What a deposit of another sum than was paid out is called in the list of discrepancies. */
export const DEPOSIT = 'exchange-deposit';
