import { Buffer } from 'node:buffer';
import { type Dispatcher, request } from 'undici';
import { machineMs } from '#kernel/clock.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { type CallResult, timed } from '#kernel/outside-metrics.ts';
import { noteWait, retryAfterOf } from '#kernel/retry-after.ts';
import { inSpan, outgoingTrace } from '#kernel/trace.ts';

export { done, type Outcome, refused, unknown };

/** The cause where the operator has not set the provider up: no call was made. */
export const NOT_CONFIGURED = 'NOT_CONFIGURED';

export const isNotConfigured = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refused'
    ? outcome.code === NOT_CONFIGURED
    : outcome.kind === 'unknown' && outcome.cause === NOT_CONFIGURED;

/** What callers get, who cannot help it; the log names the setting. */
export const notConfigured = (provider: string, extra: { details?: unknown } = {}): AppError =>
  fail('PROVIDER_NOT_CONFIGURED', `${provider} is not configured`, extra);

export interface HttpCall {
  /** For traces and errors: `card-network pull`. Never a path with a secret in it. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is when text or bytes, as JSON otherwise. */
  readonly body?: string | Uint8Array | object;
  readonly timeoutMs?: number;
  /** The connections to use, where a provider wants to see our certificate on them. */
  readonly dispatcher?: Dispatcher;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON, or undefined when it is none. */
  readonly json: unknown;
}

/** An answer, or why there is none: then it is unknown whether the call arrived. */
export type ProviderReply = HttpReply | { readonly lost: string };

const TIMEOUT_MS = 10_000;
const BODY_MAX = 2 * 1024 * 1024;

/**
 * One call to a provider. Answers what the provider said, or nothing when it is not known whether
 * the call arrived: the caller must look that up, never guess.
 */
export async function callHttp(call: HttpCall): Promise<ProviderReply> {
  const { name, method, url, dispatcher, timeoutMs = TIMEOUT_MS } = call;
  const answered = () => inSpan(`provider ${name}`, ask);
  return timed(name, answered, resultOf);

  async function ask(): Promise<ProviderReply> {
    try {
      const isJson = typeof call.body === 'object' && !(call.body instanceof Uint8Array);
      const body = isJson ? JSON.stringify(call.body) : (call.body as string | Uint8Array);
      const reply = await request(url, {
        method,
        headers: {
          accept: 'application/json',
          'user-agent': 'archipay/1',
          ...(isJson ? { 'content-type': 'application/json' } : {}),
          ...outgoingTrace(),
          ...call.headers,
        },
        ...(call.body === undefined ? {} : { body }),
        ...(dispatcher === undefined ? {} : { dispatcher }),
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (reply.statusCode >= 400) noteWait(reply.headers, machineMs());
      const answer = await readLimited(reply.body);
      return {
        status: reply.statusCode,
        headers: reply.headers,
        text: answer,
        json: parsed(answer),
      };
    } catch (error) {
      return { lost: causeOf(error) };
    }
  }
}

/** The same care for a call by a library of its own: a span, its time and its result. */
export const measured = <T>(name: string, work: () => Promise<Outcome<T>>): Promise<Outcome<T>> =>
  timed(
    name,
    () => inSpan(`provider ${name}`, work),
    ({ kind }) => kind,
  );

function resultOf(reply: ProviderReply): CallResult {
  if ('lost' in reply) return 'unknown';
  if (reply.status >= 500) return 'error';
  return reply.status >= 400 ? 'refused' : 'done';
}

const ATTEMPTS = 2;

/**
 * For a call that does nothing twice: one that got lost, or that the provider failed on, is made once
 * more, because a person is waiting; but not where the provider says when to come again. `make` is asked each time,
 * for signatures hold a time.
 */
export async function callRepeatable(make: () => HttpCall): Promise<ProviderReply> {
  let lost = '';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const reply = await callHttp(make());
    if ('lost' in reply) lost = reply.lost;
    else if (reply.status < 500) return reply;
    else lost = `status ${reply.status}`;
    // It wants to be left alone.
    if ('headers' in reply && retryAfterOf(reply.headers, machineMs()) !== undefined) break;
  }
  return { lost };
}

/**
 * The machine's or the client's word for it, else the kind of error (a time-out's code is a
 * number).
 */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

async function readLimited(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > BODY_MAX) throw new Error('answer too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Text as JSON, or undefined when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a call never reached the provider for certain, so that trying again cannot do it twice. */
export const neverArrived = (lost: string): boolean =>
  lost === 'ECONNREFUSED' || lost === 'ENOTFOUND' || lost === 'UND_ERR_CONNECT_TIMEOUT';
