import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Auth, Call, Caller, RequestFacts, Route } from '#kernel/http/declare/route.ts';
import { refuseWhileClosing } from '../../access/account-closing.ts';
import type { GivenNames } from '../../caller-names.ts';
import { type Cause, type ChangedObject, causedBy } from '../../cause.ts';
import type { DB } from '../../db/schema.generated.ts';
import type { CallProgress } from '../declare/retrying.ts';
import { namesApart } from './given-names.ts';

type AnyCall = Call<Auth, unknown, unknown, unknown>;

export const CHANGING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
export const isChanging = (method: string | undefined): boolean => CHANGING.has(method ?? '');
const NO_BYTES = Buffer.alloc(0);

declare module 'fastify' {
  interface FastifyRequest {
    /** The body of an endpoint that takes bytes, which is not read yet. */
    byte_stream?: Readable;
    /** How far it has come; undefined before its handler is called. */
    progress?: CallProgress;
  }
}

/** Calls the handler, as the cause of what it does. */
export function handlingOf({ endpoint }: Route) {
  const handle = (call: HandlerCall) => endpoint.handler(call);
  // Where no money moves a request is spared the promise.
  const handleMoney = async (call: HandlerCall) => {
    refuseWhileClosing(endpoint, call.caller);
    return endpoint.handler(call);
  };
  if (endpoint.movesMoney) return (call: HandlerCall) => causedBy(call, handleMoney);
  return (call: HandlerCall) => causedBy(call, handle);
}

/** What a handler is called with. What few of them ask for is made when they do. */
export class HandlerCall implements AnyCall {
  readonly caller: Caller<Auth>;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly db: Kysely<DB>;
  readonly #asked: FastifyRequest;
  readonly #names: GivenNames | undefined;
  #operation: string | undefined;

  constructor(asked: FastifyRequest, db: Kysely<DB>, operation?: string, query = asked.query) {
    this.caller = asked.caller;
    this.params = asked.params;
    this.query = query;
    const { body, names } = namesApart(asked.route?.endpoint, asked.body, asked.caller);
    this.body = body;
    this.#names = names;
    this.db = db;
    this.#asked = asked;
    asked.progress ??= 'begun';
    this.#operation = operation;
    if (operation !== undefined) asked.operation = operation;
  }

  get operation(): string {
    this.#operation ??= randomUUID();
    this.#asked.operation = this.#operation;
    return this.#operation;
  }

  /** The cause of the events that it emits. */
  cause(): Cause {
    return {
      request_id: this.#asked.id,
      idempotency_key: keyOf(this.#asked),
      actor: actorOf(this.caller),
      operation: this.operation,
      names: this.#names,
      changed: (object) => this.changed(object),
    };
  }

  /** Whose jobs it makes. */
  client(): number | undefined {
    if (this.caller === null) return undefined;
    const of = 'client_id' in this.caller ? this.caller : this.caller.key;
    return of.client_id ?? undefined;
  }

  /** What language messages have whose reader has named none. */
  accepts(): string | undefined {
    return this.#asked.headers['accept-language'];
  }

  /** The first object that it changes is what its line in the request log is about. */
  changed(object: ChangedObject): void {
    this.#asked.changed ??= object;
  }

  /** Whatever happens from now on, something may have been done. */
  acted(): void {
    this.#asked.progress = 'acted';
  }

  get request(): RequestFacts {
    const { id, ip, headers, route, raw_body, byte_stream } = this.#asked;
    return {
      id,
      ip,
      userAgent: String(headers['user-agent'] ?? '').slice(0, 300),
      headers,
      raw: (route?.endpoint.signed && raw_body) || NO_BYTES,
      bytes: byte_stream,
    };
  }
}

function keyOf({ method, headers }: FastifyRequest): string | null {
  const key = CHANGING.has(method) ? headers['idempotency-key'] : undefined;
  return typeof key === 'string' ? key : null;
}

function actorOf(caller: Caller<Auth>): string {
  if (caller === null) return 'anyone';
  if ('user_id' in caller) return `user:${caller.user_id}`;
  if ('userx_id' in caller) return `userx:${caller.userx_id}`;
  return `key:${caller.key.key_id}`;
}
