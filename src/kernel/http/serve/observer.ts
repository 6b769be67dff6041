import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Auth, Caller } from '#kernel/http/declare/route.ts';
import type { ChangedObject } from '../../cause.ts';
import { surroundingOf } from '../../network.ts';
import { VERSION_HEADER } from './versions.ts';

/** An answered request, without any body, query value or secret. */
export interface ObservedRequest {
  readonly request_id: string;
  /** The declared method and path: `POST /wallets/fiat`. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly error_code: string | null;
  readonly caller: ObservedCaller;
  /** The caller's /24 or /56. */
  readonly network: string;
  readonly api_version: string | null;
  readonly idempotency: 'none' | 'first' | 'replayed';
  readonly dry_run: boolean;
  /** The first object that it has made or changed. */
  readonly object: ChangedObject | null;
}

/** Whose key and log-in came along; of a refused log-in the key alone. */
export interface ObservedCaller {
  readonly client_id: number | null;
  readonly user_id: number | null;
  readonly key_id: number | null;
  readonly key_prefix: string | null;
}

/** Hears of each answered request of a known caller, and must not make it wait. */
export type RequestObserver = (request: ObservedRequest) => void;

/** Calls the observers for an answer to a caller whose key is known; others are only in the metrics. */
export function observed(
  request: FastifyRequest,
  reply: FastifyReply,
  observers: readonly RequestObserver[],
): void {
  const { route, caller, known_key } = request;
  if (observers.length === 0 || !route || (!caller && !known_key)) return;
  const { query } = request as { query?: { dry_run?: unknown } };
  const line: ObservedRequest = {
    request_id: request.id,
    route: route.id,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    error_code: request.code ?? null,
    caller: callerOf(caller, known_key),
    network: surroundingOf(request.ip),
    api_version: versionOf(request),
    idempotency: idempotencyOf(request),
    dry_run: query?.dry_run === 'true',
    object: request.changed ?? null,
  };
  for (const observe of observers) observe(line);
}

function callerOf(
  caller: Caller<Auth> | undefined,
  known: FastifyRequest['known_key'],
): ObservedCaller {
  const key = caller?.key ?? known;
  const isUser = caller && 'user_id' in caller;
  return {
    client_id: (isUser ? caller.client_id : key?.client_id) ?? null,
    user_id: (isUser ? caller.user_id : key?.user_id) ?? null,
    key_id: key?.key_id ?? null,
    key_prefix: key?.prefix ?? null,
  };
}

function versionOf({ headers, known_key }: FastifyRequest): string | null {
  const sent = headers[VERSION_HEADER];
  return typeof sent === 'string' ? sent.slice(0, 20) : (known_key?.api_version ?? null);
}

function idempotencyOf({ replayed, headers, method }: FastifyRequest) {
  if (replayed) return 'replayed';
  return method !== 'GET' && headers['idempotency-key'] !== undefined ? 'first' : 'none';
}
