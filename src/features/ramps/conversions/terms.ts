/** The statuses of a job (contract: Conversion job; decisions: 0041). */
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
/** The most of one disbursement: a JSON number is exact to the cent. */
export const MAX_AMOUNT = 9_999_999_999_999n * RUPIAH;
/** The least that an exchange trades: a smaller rest goes back to the wallet. */
export const MIN_TRADE = 10_000n * RUPIAH;

const HOUR_MS = 3_600_000;
/** A job times out after so long, and is polled for late arrivals so much longer. */
export const WAIT_MS = 24 * HOUR_MS;
export const LATE_MS = 30 * 24 * HOUR_MS;

/** Of our references at gateway and exchange. */
const PREFIX = 'ARC';
export const DISBURSEMENT_PREFIX = `${PREFIX}-DISB`;
export const ORDER_PREFIX = `${PREFIX}-T`;
export const WITHDRAWAL_PREFIX = `${PREFIX}-W`;

const FIRST_PAUSE_MS = 5 * 60_000;
const PAUSE_MAX_MS = 24 * HOUR_MS;

/** The pause after so many refusals in a row. */
export const pauseAfter = (tries: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 20), PAUSE_MAX_MS);

/** The kind of discrepancy of a deposit whose sum differs from the pay-out. */
export const DEPOSIT = 'exchange-deposit';
