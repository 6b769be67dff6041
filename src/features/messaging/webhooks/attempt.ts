import { monotonicMs } from '#kernel/clock.ts';
import type { Outbound, OutboundAnswer, OutboundReply } from '#kernel/outbound/outbound.ts';
import { BLOCKED } from '#kernel/outbound/target.ts';
import { type Secret, signed } from './signature.ts';

/** A notification to one endpoint. */
export interface WebhookNotification {
  readonly url: string;
  /** The event's id, the same in each attempt. */
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly Secret[];
  readonly headers: Readonly<Record<string, string>>;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Whether the socket may be kept for the next one; true by default. */
  readonly keepAlive?: boolean;
}

/** The outcome of an attempt. */
export interface WebhookOutcome {
  readonly isDelivered: boolean;
  readonly at: Date;
  readonly ms: number;
  readonly status: number | null;
  readonly error: string | null;
  /** The beginning of the answer. */
  readonly response: string | null;
  /** Why the endpoint is disabled. */
  readonly ends?: 'gone' | 'not_public';
  /** Whether the endpoint is overloaded, by its status or by a time-out. */
  readonly isOverloaded: boolean;
  /** The pause that the endpoint asks for. */
  readonly restMs: number;
}

const USER_AGENT = 'Archipay-Webhooks/1';
const GONE = 410;
const OVERLOADED = new Set([429, 502, 503, 504]);
const RESPONSE_MAX = 2048;
const REST_MAX_MS = 3_600_000;

/** Sends once. Never throws: a failure is an outcome. */
export async function attempt(
  outbound: Outbound,
  notification: WebhookNotification,
  now: Date,
): Promise<WebhookOutcome> {
  const { url, id, body, secrets, headers } = notification;
  const start = monotonicMs();
  const answer = await outbound.post({
    name: 'webhook',
    url,
    keepAlive: notification.keepAlive ?? true,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...signed(id, body, secrets, now),
      'webhook-attempt': String(notification.attempt),
    },
    body,
  });
  return { at: now, ms: Math.round(monotonicMs() - start), ...readOutcome(answer, now) };
}

function readOutcome(answer: OutboundAnswer, now: Date): Omit<WebhookOutcome, 'at' | 'ms'> {
  const none = { isDelivered: false, status: null, response: null, isOverloaded: false, restMs: 0 };
  if (answer.kind === 'blocked') {
    const ends = answer.why === 'private-address' ? ({ ends: 'not_public' } as const) : {};
    return { ...none, error: `The address ${BLOCKED[answer.why]}`, ...ends };
  }
  if (answer.kind === 'lost')
    return { ...none, error: answer.cause, isOverloaded: answer.cause === 'TIMEOUT' };
  const { status } = answer;
  const isDelivered = status >= 200 && status < 300;
  const restMs = isDelivered ? 0 : restOf(answer, now);
  return {
    isDelivered,
    status,
    error: isDelivered ? null : errorOf(status),
    response: excerpt(answer.bytes),
    isOverloaded: !isDelivered && (OVERLOADED.has(status) || restMs > 0),
    restMs,
    ...(status === GONE ? { ends: 'gone' as const } : {}),
  };
}

const errorOf = (status: number): string =>
  status >= 300 && status < 400 ? 'Redirects are not followed' : `It answered ${status}`;

/** `Retry-After`, in seconds or as a date. */
function restOf({ headers }: OutboundReply, now: Date): number {
  const asked = headers['retry-after'];
  if (typeof asked !== 'string') return 0;
  const ms = /^\d{1,9}$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - now.getTime();
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), REST_MAX_MS) : 0;
}

/** Text that the database can store, for any bytes. */
const excerpt = (bytes: Buffer): string =>
  bytes.subarray(0, RESPONSE_MAX).toString('utf8').replaceAll('\0', '�');
