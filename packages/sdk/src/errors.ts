import type { ErrorCode } from './types.generated.ts';

/** What is known of a changing call that failed: it has come to nothing, or it may have been carried out. */
export type Outcome = 'refused' | 'unknown';

export interface ErrorFacts {
  readonly status?: number;
  readonly code?: string;
  readonly hint?: string;
  readonly docUrl?: string;
  readonly requestId?: string;
  readonly details?: unknown;
  readonly retryable?: boolean;
  readonly outcome?: Outcome;
  readonly idempotencyKey?: string;
  readonly headers?: Headers;
  readonly cause?: unknown;
  /** Asks again under the same key until the outcome is known. */
  readonly again?: (options: ResolveOptions) => Promise<unknown>;
}

export interface ResolveOptions {
  /** Milliseconds in all; default five minutes. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/** Any failure of a call. Its class and `code` say what it is, `outcome` what is known of the money. */
export class ArchipayError extends Error {
  // Written out, since minifiers shorten the names of classes.
  override readonly name: string = 'ArchipayError';
  /** Of the answer; 0 where there was none. */
  readonly status: number;
  readonly code: ErrorCode | (string & {});
  /** What to do about it. */
  readonly hint: string | undefined;
  readonly docUrl: string | undefined;
  readonly requestId: string | undefined;
  readonly details: unknown;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  readonly outcome: Outcome;
  /** Under which the call was sent, and may be sent again. */
  readonly idempotencyKey: string | undefined;
  readonly headers: Headers | undefined;
  readonly #again: ErrorFacts['again'];

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.status = facts.status ?? 0;
    this.code = facts.code ?? 'NO_ANSWER';
    this.hint = facts.hint;
    this.docUrl = facts.docUrl;
    this.requestId = facts.requestId;
    this.details = facts.details;
    this.retryable = facts.retryable ?? false;
    this.outcome = facts.outcome ?? 'refused';
    this.idempotencyKey = facts.idempotencyKey;
    this.headers = facts.headers;
    this.#again = facts.again;
  }

  /**
   * Of an unknown outcome: sends the same call under the same key until its outcome is known, and answers what the
   * call would have answered, or throws its refusal. Of a refusal: throws it.
   */
  async resolve<Answer = unknown>(options: ResolveOptions = {}): Promise<Answer> {
    if (this.outcome === 'refused' || !this.#again) throw this;
    return (await this.#again(options)) as Answer;
  }
}

/** No valid key or log-in (401). */
export class AuthenticationError extends ArchipayError {
  override readonly name = 'AuthenticationError';
}
/** The caller may not do this (403). */
export class PermissionError extends ArchipayError {
  override readonly name = 'PermissionError';
}
/** There is no such thing, or it belongs to another client (404, 410). */
export class NotFoundError extends ArchipayError {
  override readonly name: string = 'NotFoundError';
}
/** The state of the thing refuses it, or the key is in use (409, 412). */
export class ConflictError extends ArchipayError {
  override readonly name = 'ConflictError';
}
/** What was sent is refused (400, 413, 415, 422, 428). */
export class ValidationError extends ArchipayError {
  override readonly name = 'ValidationError';
}
/** Too many requests (429). */
export class RateLimitError extends ArchipayError {
  override readonly name = 'RateLimitError';
}
/** The service, or a provider behind it, could not answer (5xx). */
export class ServiceError extends ArchipayError {
  override readonly name = 'ServiceError';
}
/** The network gave no answer. */
export class ConnectionError extends ArchipayError {
  override readonly name: string = 'ConnectionError';
}
/** The answer took longer than `timeout`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}
/** The caller's own signal has ended the call. */
export class AbortedError extends ConnectionError {
  override readonly name = 'AbortedError';
}
/** The signature of a webhook is not of these secrets, or too old. */
export class WebhookSignatureError extends ArchipayError {
  override readonly name = 'WebhookSignatureError';
}

const BY_STATUS: Readonly<Record<number, typeof ArchipayError>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  410: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  429: RateLimitError,
};

type Read = Readonly<Record<string, unknown>>;
const record = (value: unknown): Read =>
  typeof value === 'object' && value !== null ? (value as Read) : {};
const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The error of an answer, whichever of the API's five forms it has. */
export function errorOf(status: number, text: string, facts: ErrorFacts): ArchipayError {
  const body = record(parsed(text));
  const inner = record(body['error']);
  const said = {
    code: textIn(inner['code']) ?? textIn(body['error_code']) ?? textIn(body['code']),
    hint: textIn(inner['hint']) ?? textIn(body['hint']),
    docUrl: textIn(inner['doc_url']) ?? textIn(body['doc_url']),
    requestId: textIn(body['request_id']) ?? facts.requestId,
  };
  const message =
    textIn(body['message']) ??
    textIn(inner['message']) ??
    textIn(body['error']) ??
    `The service answered ${status}`;
  const known = Object.fromEntries(Object.entries(said).filter(([, one]) => one !== undefined));
  const details = inner['details'] ?? body['details'];
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServiceError : ValidationError);
  return new Kind(message, { ...facts, code: `HTTP_${status}`, ...known, status, details });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
