import type { AppError, CallOutcome, Code } from '#kernel/error.ts';

/** Whether the same request may succeed later, with the same Idempotency-Key. */
export const RETRY_HEADER = 'x-should-retry';
/** What is known of a changing request that failed (`CallOutcome`). */
export const OUTCOME_HEADER = 'x-archipay-outcome';
export const RETRY_MS_HEADER = 'retry-after-ms';

const RETRIED: ReadonlySet<Code> = new Set([
  'IDEMPOTENCY_IN_PROGRESS',
  'NOT_READY',
  'OVERLOADED',
  'SHUTTING_DOWN',
  'PROVIDER_UNAVAILABLE',
  'INTERNAL',
]);

/** What a code says by itself, wherever it is thrown. */
const BY_CODE: Readonly<Partial<Record<Code, CallOutcome>>> = {
  // The first request with this key is still under way, or its process has ended in the middle.
  IDEMPOTENCY_IN_PROGRESS: 'unknown',
  IDEMPOTENCY_ANSWER_NOT_KEPT: 'decided',
  RATE_LIMITED: 'not-begun',
  SHUTTING_DOWN: 'not-begun',
  PROVIDER_NOT_CONFIGURED: 'not-begun',
  DAILY_CONVERSION_FAILED: 'not-begun',
  // Final, despite their status.
  ORIGINAL_NOT_FOUND: 'decided',
  ALREADY_REFUNDED: 'decided',
  DISBURSEMENT_FAILED: 'decided',
};

type Refused = Pick<AppError, 'code' | 'status' | 'outcome'>;

/** Whether a failure's answer says that the same request may succeed later. */
export const shouldRetry = ({ code, status }: Pick<Refused, 'code' | 'status'>): boolean =>
  status === 429 || RETRIED.has(code);

/** How far a request has come: its handler was called; something was committed, handed to a batch or called. */
export type CallProgress = 'begun' | 'acted';

/**
 * What is known of a call that failed. A failure before the handler has begun nothing; in the handler the thrower
 * says it, else a refusal has decided the call, and a failure of ours leaves it unknown. No one can say that nothing
 * was begun once the request has acted.
 */
function outcomeOf(
  { code, status, outcome }: Refused,
  progress: CallProgress | undefined,
): CallOutcome {
  const known = BY_CODE[code];
  if (progress === undefined) return OF_KEYS.has(code) ? (known ?? 'unknown') : 'not-begun';
  const said = outcome ?? known ?? byStatus(status);
  return said === 'not-begun' && progress === 'acted' ? 'unknown' : said;
}

/** Only a key can tell of an earlier request before the handler begins. */
const OF_KEYS: ReadonlySet<Code> = new Set([
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_ANSWER_NOT_KEPT',
]);

function byStatus(status: number): CallOutcome {
  if (status === 429) return 'not-begun';
  return status < 500 ? 'decided' : 'unknown';
}

interface FailedCall {
  readonly isChanging: boolean;
  readonly progress: CallProgress | undefined;
}

/** The lines about a failure in the head of its answer, each ended as on the wire. */
export function retryLines(
  error: Refused & Pick<AppError, 'retryAfter' | 'retryAfterMs'>,
  { isChanging, progress }: FailedCall,
): string {
  const { retryAfter, retryAfterMs } = error;
  const retry = `${RETRY_HEADER}: ${shouldRetry(error)}\r\n`;
  const outcome = isChanging ? `${OUTCOME_HEADER}: ${outcomeOf(error, progress)}\r\n` : '';
  if (retryAfter === undefined) return retry + outcome;
  const ms = Math.ceil(retryAfterMs ?? retryAfter * 1000);
  return `${retry}${outcome}retry-after: ${retryAfter}\r\n${RETRY_MS_HEADER}: ${ms}\r\n`;
}

/** The same of an answer whose failure is a declared reply, so that only its status is known. */
export function repliedLines(status: number, isChanging: boolean): string {
  const outcome = status < 500 ? 'decided' : 'unknown';
  const retry = `${RETRY_HEADER}: ${status === 429 || status === 503}\r\n`;
  return isChanging ? `${retry}${OUTCOME_HEADER}: ${outcome}\r\n` : retry;
}
