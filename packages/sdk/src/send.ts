import type { Answered, CallOptions, OperationSpec, Params } from './call.ts';
import {
  AbortedError,
  ArchipayError,
  ConnectionError,
  type ErrorFacts,
  errorOf,
  type Outcome,
  type ResolveOptions,
  TimeoutError,
} from './errors.ts';
import type { Ending } from './once.ts';
import { type Request, requestOf } from './request.ts';

/** Gets a line for each try. */
export interface Logger {
  debug(message: string, facts: Readonly<Record<string, unknown>>): void;
}

export interface Connection {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly maxRetries: number;
  readonly timeout: number;
  readonly logger: Logger | undefined;
}

export interface Call {
  readonly spec: OperationSpec;
  readonly params: Params;
  readonly options: CallOptions;
  /** It was sent before, and nobody knows what came of it. */
  readonly isRepeated?: boolean;
  /** Hears how the call has ended where `resolve` finds it out. */
  readonly closed?: (ending: Ending) => Promise<void>;
}

/** What one try has shown: `not-begun` says nothing of the tries before it. */
type Known = 'decided' | 'not-begun' | 'unknown';

interface Failed {
  readonly known: Known;
  readonly retry: boolean;
  /** Milliseconds that the service asks to wait. */
  readonly wait: number | undefined;
  error(facts: ErrorFacts): ArchipayError;
}
type Tried<Answer> = { readonly answered: Answered<Answer> } | { readonly failed: Failed };

/** The service keeps answers for 24 hours: an older call must not be sent again, because it could be done twice. */
export const KEY_AGE_MAX = 23 * 3_600_000;
const WAIT_MAX = 60_000;

/** Sends a call until it is answered, refused, or no try is left. */
export async function send<Answer>(connection: Connection, call: Call): Promise<Answered<Answer>> {
  const { spec, params, options } = call;
  const request = requestOf(spec, params, options.dryRun);
  const isChanging = spec[1] !== 'GET' && spec[1] !== 'HEAD';
  const key = isChanging ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
  const since = Date.now();
  const seen: Known[] = call.isRepeated ? ['unknown'] : [];
  const most = options.maxRetries ?? connection.maxRetries;
  for (let nth = 0; ; nth += 1) {
    const tried = await tryOnce<Answer>(connection, request, { call, key, nth });
    if ('answered' in tried) return tried.answered;
    const { failed } = tried;
    seen.push(failed.known);
    const wait = failed.wait ?? Math.random() * Math.min(8000, 500 * 2 ** nth);
    const isLate = isChanging && Date.now() + wait - since > KEY_AGE_MAX;
    const mayRetry = failed.retry && nth < most && wait <= WAIT_MAX && !isLate;
    if (!mayRetry || !(await paused(wait, options.signal))) {
      const outcome: Outcome = isChanging && !options.dryRun ? outcomeOf(seen) : 'refused';
      throw failed.error({
        retryable: failed.retry,
        outcome,
        ...(key !== undefined && { idempotencyKey: key }),
        ...(outcome === 'unknown' && {
          again: (own: ResolveOptions) => resolved<Answer>(connection, { call, key, since }, own),
        }),
      });
    }
  }
}

const outcomeOf = (seen: readonly Known[]): Outcome =>
  seen.at(-1) === 'decided' || seen.every((known) => known === 'not-begun') ? 'refused' : 'unknown';

/**
 * How a failure ends its call: not at all where it may succeed later, such as 429, or says nothing of earlier tries,
 * such as 401.
 */
export const endingOf = (error: unknown): Ending | undefined => {
  if (!(error instanceof ArchipayError)) return undefined;
  const { outcome, retryable, headers, status, code, message } = error;
  const isFinal =
    outcome === 'refused' && !retryable && headers?.get('x-archipay-outcome') === 'decided';
  return isFinal ? { refused: { status, code, message } } : undefined;
};

interface Open {
  readonly call: Call;
  readonly key: string | undefined;
  readonly since: number;
}

/** The same call under the same key until its outcome is known. */
async function resolved<Answer>(
  connection: Connection,
  { call, key = '', since }: Open,
  { timeout = 300_000, signal }: ResolveOptions,
): Promise<Answer> {
  const end = Math.min(Date.now() + timeout, since + KEY_AGE_MAX);
  const { signal: _, ...rest } = call.options;
  const options = { ...rest, idempotencyKey: key, maxRetries: 0, ...(signal && { signal }) };
  for (let nth = 0; ; nth += 1) {
    try {
      // A refusal to begin says nothing of the tries before it.
      const { data, status } = await send<Answer>(connection, {
        ...call,
        options,
        isRepeated: true,
      });
      await call.closed?.({ done: data, status });
      return data;
    } catch (error) {
      const known = error as ArchipayError;
      const ending = endingOf(known);
      if (ending) await call.closed?.(ending);
      if (ending || (!known.retryable && known.status !== 401)) throw error;
      const wait = Math.min(30_000, waitOf(known.headers) ?? 500 * 2 ** Math.min(nth, 5));
      if (Date.now() + wait > end || !(await paused(wait, signal))) throw error;
    }
  }
}

interface Try {
  readonly call: Call;
  readonly key: string | undefined;
  readonly nth: number;
}

async function tryOnce<Answer>(
  connection: Connection,
  request: Request,
  { call: { spec, options }, key, nth }: Try,
): Promise<Tried<Answer>> {
  const { signal, timeout = connection.timeout } = options;
  if (signal?.aborted) return { failed: lost(new AbortedError('The call was ended'), 'not-begun') };
  const limit = AbortSignal.timeout(timeout);
  const began = Date.now();
  const log = (status: number | string, requestId?: string | null) =>
    connection.logger?.debug(`${spec[0]} ${status}`, { nth, ms: Date.now() - began, requestId });
  try {
    const reply = await connection.fetch(connection.url + request.path, {
      method: request.method,
      headers: headersOf(connection, request, { options, key }),
      ...(request.body !== undefined && { body: request.body }),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    const requestId = reply.headers.get('x-request-id');
    log(reply.status, requestId);
    if (!reply.ok) return { failed: refusedBy(reply, await reply.text()) };
    return {
      answered: await answeredBy<Answer>(reply, spec, { key, isDryRun: options.dryRun === true }),
    };
  } catch (cause) {
    log(String((cause as Error)?.name ?? cause));
    return {
      failed: unanswered(cause, { isAborted: signal?.aborted === true, isLate: limit.aborted }),
    };
  }
}

export function headersOf(
  connection: Connection,
  request: Request,
  { options, key }: { readonly options: CallOptions; readonly key?: string | undefined },
): Record<string, string> {
  return {
    accept: 'application/json, */*;q=0.5',
    ...connection.headers,
    ...(options.version !== undefined && { 'archipay-version': options.version }),
    ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
    ...(request.contentType !== undefined && { 'content-type': request.contentType }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...options.headers,
  };
}

async function answeredBy<Answer>(
  reply: Response,
  [, , , extras]: OperationSpec,
  { key, isDryRun }: { readonly key: string | undefined; readonly isDryRun: boolean },
): Promise<Answered<Answer>> {
  const { headers, status } = reply;
  const isJson = headers.get('content-type')?.includes('json') === true;
  const read = async (): Promise<unknown> => {
    if (extras?.answer === 'bytes') return new Uint8Array(await reply.arrayBuffer());
    const text = await reply.text();
    return isJson && extras?.answer !== 'text' ? JSON.parse(text) : text;
  };
  const answer = await read();
  return {
    data: (isDryRun ? (rehearsal(answer) ?? answer) : answer) as Answer,
    status,
    headers,
    requestId: headers.get('x-request-id') ?? undefined,
    replayed: headers.get('idempotent-replayed') === 'true',
    idempotencyKey: key,
    ignoredFields: headers.get('x-ignored-fields')?.split(/,\s*/) ?? [],
  };
}

/** Some families of operations answer in an envelope. */
const rehearsal = (answer: unknown): unknown => (answer as { data?: unknown } | null)?.data;

function refusedBy(reply: Response, text: string): Failed {
  const { headers, status } = reply;
  const should = headers.get('x-should-retry');
  const said = headers.get('x-archipay-outcome');
  const isOurs = said === 'decided' || said === 'not-begun' || said === 'unknown';
  // A proxy's failure says nothing of the service behind it.
  const known = isOurs ? said : status >= 500 || status === 408 ? 'unknown' : 'decided';
  const requestId = headers.get('x-request-id') ?? undefined;
  return {
    known,
    retry: should === null ? status === 408 || status === 429 || status >= 500 : should === 'true',
    wait: waitOf(headers),
    error: (facts) =>
      errorOf(status, text, { ...facts, headers, ...(requestId !== undefined && { requestId }) }),
  };
}

function waitOf(headers: Headers | undefined): number | undefined {
  const ms = headers?.get('retry-after-ms');
  const seconds = headers?.get('retry-after');
  const wait = ms ? Number(ms) : seconds ? Number(seconds) * 1000 : Number.NaN;
  return Number.isFinite(wait) && wait >= 0 ? wait : undefined;
}

/** Where the connection was never made nothing was sent. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function unanswered(
  cause: unknown,
  { isAborted, isLate }: { readonly isAborted: boolean; readonly isLate: boolean },
): Failed {
  if (isAborted)
    return lost(new AbortedError('The call was ended by its signal', { cause }), 'unknown');
  if (isLate) return lost(new TimeoutError('There was no answer in time', { cause }), 'unknown');
  const code = (cause as { cause?: { code?: string } } | undefined)?.cause?.code ?? '';
  const known = UNSENT.has(code) ? 'not-begun' : 'unknown';
  return lost(new ConnectionError('The service cannot be reached', { cause }), known);
}

const lost = (error: ConnectionError, known: Known): Failed => ({
  known,
  retry: !(error instanceof AbortedError),
  wait: undefined,
  error: (facts) => {
    const Kind = error.constructor as typeof ConnectionError;
    return new Kind(error.message, { ...facts, cause: error.cause });
  },
});

/** Waits; false where the signal ends the wait. */
export const paused = (ms: number, signal?: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve(false);
    const end = (value: boolean) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve(value);
    };
    const stop = () => end(false);
    const timer = setTimeout(() => end(true), ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
