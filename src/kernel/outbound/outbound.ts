import { Agent, type Dispatcher, request } from 'undici';
import { refuseDryRun } from '../dry-run.ts';
import { inSpan } from '../trace.ts';
import { guardedConnector, type LookUp, lookUpBy } from './connect.ts';
import { ACCEPTED_ENCODINGS, type AnswerBody, readAnswer } from './read-answer.ts';
import { type Blocked, BlockedError, type OutboundRules, readTarget } from './target.ts';

export interface OutboundReply extends AnswerBody {
  readonly kind: 'reply';
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Which address it came from, after all redirects. */
  readonly url: string;
}

/**
 * What came of a call: an answer; that the address must not be called; or that there was no answer, and
 * it is not known whether the call arrived.
 */
export type OutboundAnswer =
  | OutboundReply
  | { readonly kind: 'blocked'; readonly why: Blocked }
  | { readonly kind: 'lost'; readonly cause: string };

export interface GetCall {
  /** For traces: `shop page`. Never an address. */
  readonly name: string;
  readonly url: string;
  readonly accept?: string;
  readonly limits?: Partial<CallLimits>;
}

export interface PostCall {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** False closes the socket after the answer, instead of keeping it for a moment. */
  readonly keepAlive?: boolean;
  readonly limits?: Partial<CallLimits>;
}

/** The limits of one call, redirects included. */
export interface CallLimits {
  readonly totalMs: number;
  /** Bytes of an answer over the wire, and once decompressed. What is beyond is not read. */
  readonly wireMax: number;
  readonly plainMax: number;
}

/**
 * Calls addresses that callers name. No cookies, no credentials, no proxy but one that is set, no traces of ours; an
 * address is checked by itself, by what its name leads to, and by where the connection has got to.
 */
export interface Outbound {
  /** Why that address is never called, as far as it says so by itself; names are asked at each call. */
  refusal(url: string): Blocked | undefined;
  /** Follows at most five redirects, each checked as the first address was. */
  get(call: GetCall): Promise<OutboundAnswer>;
  /** Follows nothing: a redirect is an answer. */
  post(call: PostCall): Promise<OutboundAnswer>;
  close(): Promise<void>;
}

export interface OutboundOptions extends OutboundRules {
  readonly lookUp?: LookUp;
  readonly connectMs?: number;
  /** How many sockets one origin may have; further calls to it wait. */
  readonly connections?: number;
  readonly ca?: string;
  /** An HTTP proxy of the operator's, for all that is not this machine. */
  readonly proxy?: string | undefined;
}

const PAGE_LIMITS: CallLimits = {
  totalMs: 10_000,
  wireMax: 2 * 1024 * 1024,
  plainMax: 4 * 1024 * 1024,
};
const POST_LIMITS: CallLimits = { totalMs: 15_000, wireMax: 16_384, plainMax: 16_384 };
const CONNECT_MS = 5000;
const HEADERS_MAX = 16_384;
const REDIRECTS_MAX = 5;
const CONNECTIONS = 64;
/** Shorter than what most servers keep an idle connection for, so that none is used as it closes. */
const KEPT_MS = 4000;

export function createOutbound(options: OutboundOptions): Outbound {
  const { lookUp = lookUpBy(), connectMs = CONNECT_MS, ca, proxy, ...rest } = options;
  const { connections = CONNECTIONS, ...rules } = rest;
  const agent = new Agent({
    connect: guardedConnector(rules, {
      connectMs,
      lookUp,
      ...(ca !== undefined && { ca }),
      ...(proxy !== undefined && { proxy: new URL(proxy) }),
    }),
    allowH2: false,
    connections,
    pipelining: 1,
    maxHeaderSize: HEADERS_MAX,
    keepAliveTimeout: KEPT_MS,
    keepAliveMaxTimeout: KEPT_MS,
  });
  const exchange = createExchange(agent);

  return {
    refusal(url) {
      try {
        readTarget(url, rules);
        return undefined;
      } catch (error) {
        return blockedIn(error);
      }
    },
    get: ({ name, url, accept = '*/*', limits }) =>
      answering(name, () => {
        const headers = { accept, 'accept-encoding': ACCEPTED_ENCODINGS, 'user-agent': USER_AGENT };
        const within = { ...PAGE_LIMITS, ...limits };
        return following(exchange, rules, url, { method: 'GET', headers, ...timed(within) });
      }),
    post: ({ name, url, headers, body, limits, keepAlive = true }) =>
      answering(name, () => {
        const within = { ...POST_LIMITS, ...limits };
        const sent = { method: 'POST' as const, headers, body, reset: !keepAlive };
        return exchange(readTarget(url, rules), { ...sent, ...timed(within) });
      }),
    close: () => agent.destroy(),
  };
}

const USER_AGENT = 'archipay/1';

/** What is sent, and how much of an answer is waited for until when. */
type Sent = Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body' | 'reset'> & {
  readonly limits: CallLimits;
  readonly signal: AbortSignal;
};

const timed = (limits: CallLimits) => ({ limits, signal: AbortSignal.timeout(limits.totalMs) });

type Exchange = (url: URL, sent: Sent) => Promise<OutboundReply>;

/** One request and its answer. */
const createExchange =
  (dispatcher: Dispatcher): Exchange =>
  async (url, { limits, ...sent }) => {
    const times = { headersTimeout: limits.totalMs, bodyTimeout: limits.totalMs };
    const reply = await request(url, { ...sent, ...times, dispatcher });
    const { statusCode: status, headers } = reply;
    const encoding = headers['content-encoding'];
    const body = await readAnswer(reply.body, encoding && String(encoding), limits);
    return { kind: 'reply', status, headers, url: url.href, ...body };
  };

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

async function following(
  exchange: Exchange,
  rules: OutboundRules,
  first: string,
  sent: Sent,
): Promise<OutboundReply> {
  let url = readTarget(first, rules);
  for (let hops = 0; ; hops += 1) {
    const reply = await exchange(url, sent);
    const { location } = reply.headers;
    if (!REDIRECTS.has(reply.status) || typeof location !== 'string') return reply;
    if (hops === REDIRECTS_MAX) throw new Error('TOO_MANY_REDIRECTS');
    url = readTarget(location, rules, url);
  }
}

async function answering(
  name: string,
  call: () => Promise<OutboundReply>,
): Promise<OutboundAnswer> {
  refuseDryRun(`outbound ${name}`);
  return inSpan(`outbound ${name}`, async () => {
    try {
      return await call();
    } catch (error) {
      const why = blockedIn(error);
      return why === undefined ? { kind: 'lost', cause: causeOf(error) } : { kind: 'blocked', why };
    }
  });
}

const blockedIn = (error: unknown): Blocked | undefined =>
  error instanceof BlockedError ? error.why : undefined;

/** A word for it that says nothing of our own network: never the system's message. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  if (error.name === 'TimeoutError') return 'TIMEOUT';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /^[A-Z_]+$/.test(error.message) ? error.message : error.name;
}
