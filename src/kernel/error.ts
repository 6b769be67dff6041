/** Every failure a caller may see, and its status unless the thrower says otherwise. */
export const CODES = {
  VALIDATION_ERROR: 400,
  MALFORMED_JSON: 400,
  DUPLICATE_FIELD: 400,
  UNKNOWN_FIELD: 400,
  MISSING_FIELDS: 400,
  INVALID_AMOUNT: 400,
  INVALID_WALLET_FORMAT: 400,
  INVALID_WALLET_ID: 400,
  INVALID_PAGINATION: 400,
  INVALID_TX_HASH: 400,
  CONFIRMATION_REQUIRED: 400,
  INVALID_CODE: 400,
  CODE_EXPIRED: 400,
  INVALID_PASSWORD: 400,
  INVALID_TOKEN: 400,
  LINK_EXPIRED: 400,
  INSUFFICIENT_BALANCE: 400,
  INSUFFICIENT_FUNDS: 400,
  AMOUNT_BELOW_MINIMUM: 400,
  LIMIT_EXCEEDED: 400,
  FEE_BELOW_FLOOR: 400,
  NUMBER_NOT_SERVED: 400,
  PROVIDER_REJECTED: 400,
  PRICE_UNREADABLE: 400,
  PRODUCT_NOT_READ: 400,
  INVALID_STATUS: 400,
  TOKEN_NOT_SUPPORTED: 400,
  NO_PSP_FOR_COUNTRY: 400,
  PAYOUT_CURRENCY_UNAVAILABLE: 400,
  DESTINATION_TAG_REQUIRED: 400,
  EMAIL_EXISTS: 400,
  TWO_FACTOR_ALREADY_ENABLED: 400,
  TWO_FACTOR_NOT_SETUP: 400,
  TWO_FACTOR_NOT_ENABLED: 400,
  MISSING_TOKEN: 400,
  MISSING_USER_ID: 400,
  NO_WALLET_IN_TOKEN: 400,
  CANNOT_DISCONNECT_PRIMARY: 400,
  IDEMPOTENCY_KEY_REQUIRED: 400,
  AMOUNT_MISMATCH: 400,
  CURRENCY_MISMATCH: 400,
  SAME_WALLET: 400,
  RAIL_NOT_AVAILABLE: 400,
  METHOD_NOT_AVAILABLE: 400,
  API_KEY_MISSING: 401,
  API_KEY_INVALID: 401,
  TOKEN_MISSING: 401,
  TOKEN_INVALID: 401,
  TOKEN_EXPIRED: 401,
  INVALID_CREDENTIALS: 401,
  AUTHENTICATION_FAILED: 401,
  INVALID_SIGNATURE: 401,
  REFRESH_INVALID: 401,
  REFRESH_REUSED: 401,
  DEVICE_PROOF_INVALID: 401,
  PASSKEY_UNKNOWN: 401,
  UNKNOWN_VERSION: 400,
  CARD_DECLINED: 400,
  FORBIDDEN: 403,
  ACCESS_DENIED: 403,
  WALLET_ACCESS_DENIED: 403,
  ACCOUNT_NOT_ACTIVE: 403,
  WALLET_FROZEN: 403,
  FRESH_LOGIN_REQUIRED: 403,
  STEP_UP_REQUIRED: 403,
  SECOND_FACTOR_REQUIRED: 403,
  RECONCILIATION_FAILED: 403,
  CONFIRMATION_PENDING: 403,
  SECOND_PERSON_REQUIRED: 403,
  CLIENT_NOT_APPROVED: 403,
  IP_NOT_ALLOWED: 403,
  POLICY_DENIED: 403,
  ACCOUNT_CLOSING: 403,
  VERIFICATION_REQUIRED: 403,
  NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  CLIENT_NOT_FOUND: 404,
  WALLET_NOT_FOUND: 404,
  NO_PRIMARY_WALLET: 404,
  JOB_NOT_FOUND: 404,
  TRANSACTION_NOT_FOUND: 404,
  AUTH_NOT_FOUND: 404,
  APPLICANT_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  DEBT_OUTSTANDING: 409,
  PRICE_CHANGED: 409,
  NOT_REVERSIBLE: 409,
  ALREADY_REVERSED: 409,
  ALREADY_RETURNED: 409,
  EMAIL_IN_USE: 409,
  ACCOUNT_EXISTS: 409,
  MAPPING_EXISTS: 409,
  WALLET_ALREADY_LINKED: 409,
  CHAIN_EXISTS: 409,
  TOKEN_ALREADY_EXISTS: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  IDEMPOTENCY_ANSWER_NOT_KEPT: 409,
  REFERENCE_IN_USE: 409,
  VERSION_CONFLICT: 409,
  CONTENT_CHANGED: 409,
  QUOTE_EXPIRED: 409,
  QUOTE_USED: 409,
  QUOTE_MISMATCH: 409,
  DUPLICATE_RECIPIENT: 409,
  RECIPIENT_UNAVAILABLE: 409,
  DEVICE_LIMIT_REACHED: 409,
  ACCOUNT_NOT_EMPTY: 409,
  LAST_ADMIN: 409,
  REFUND_EXCEEDS_PAID: 409,
  REFUND_NOT_POSSIBLE: 409,
  REFUND_WINDOW_OVER: 409,
  ACCOUNT_LINKED_ELSEWHERE: 409,
  FILE_IN_USE: 409,
  EVENTS_EXPIRED: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  PAGE_UNREADABLE: 500,
  HEALTH_CHECK_FAILED: 500,
  STATS_ERROR: 500,
  ORIGINAL_NOT_FOUND: 500,
  ALREADY_REFUNDED: 500,
  DISBURSEMENT_FAILED: 500,
  DAILY_CONVERSION_FAILED: 500,
  JOB_EXECUTION_FAILED: 500,
  SEARCH_FAILED: 500,
  CHAT_UNAVAILABLE: 500,
  NOT_READY: 503,
  PROVIDER_UNAVAILABLE: 503,
  PROVIDER_NOT_CONFIGURED: 503,
  OVERLOADED: 503,
  SHUTTING_DOWN: 503,
  POSITION_LIMIT: 503,
} as const satisfies Record<string, number>;

/** The stable machine name of a failure; on the wire in every envelope (decisions: Shapes). */
export type Code = keyof typeof CODES;

/**
 * What is known of a call that failed: `decided`, its operation has ended with this answer; `not-begun`, this request
 * has begun nothing; `unknown`, its operation may have been carried out.
 */
export type CallOutcome = 'decided' | 'not-begun' | 'unknown';

export interface Failure {
  /** Instead of the code's own status, where the contract gives one code two of them. */
  status?: number;
  /** The wire's `details`. Never an exception's text. */
  details?: unknown;
  /** Fields this one error adds beside the envelope's own, such as `available_chains`. */
  extra?: Record<string, unknown>;
  /** Seconds after which trying again makes sense; becomes `Retry-After`. */
  retryAfter?: number;
  /** The same in milliseconds, where it is known more exactly; becomes `retry-after-ms`. */
  retryAfterMs?: number;
  /** What is known of the failed call, where its code does not say it (`declare/retrying.ts`). */
  outcome?: CallOutcome;
  /** What to do about it, where more can be said than the code's own cure. */
  hint?: string;
  cause?: unknown;
}

/** The one error thrown on purpose. How it looks on the wire is the route's family's business. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: Code;
  readonly status: number;
  readonly details: unknown;
  readonly extra: Record<string, unknown>;
  readonly retryAfter: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly outcome: CallOutcome | undefined;
  hint: string | undefined;

  constructor(code: Code, message: string, failure: Failure = {}) {
    super(message, { cause: failure.cause });
    this.code = code;
    this.status = failure.status ?? CODES[code];
    this.details = failure.details;
    this.extra = failure.extra ?? {};
    this.retryAfter = failure.retryAfter;
    this.retryAfterMs = failure.retryAfterMs;
    this.outcome = failure.outcome;
    this.hint = failure.hint;
  }
}

/** Reads as `throw fail('NOT_FOUND', 'Order not found')`. */
export const fail = (code: Code, message: string, failure?: Failure): AppError =>
  new AppError(code, message, failure);

/**
 * A field that no schema can judge, in the words of those that one has: `amount must be …`; or `said`, where the
 * contract has a sentence of its own for it.
 */
export const wrongField = (
  field: string,
  message: string,
  { code = 'VALIDATION_ERROR', hint, said }: { code?: Code; hint?: string; said?: string } = {},
): AppError =>
  fail(code, said ?? `${field} ${message}`, {
    details: [{ field, message }],
    ...(hint !== undefined && { hint }),
  });
