import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { type Clock, isoPrinter } from '../clock.ts';
import type { DB } from '../db/schema.generated.ts';
import { transact } from '../db/transact.ts';
import { fail } from './error.ts';
import type { Envelope } from './family.ts';
import { toAppError } from './faults.ts';
import {
  type Claim,
  IDEMPOTENCY_KEY_MAX,
  type Idempotency,
  type StoredAnswer,
} from './idempotency.ts';
import { At, type Auth, at, type Call, Html, type Route } from './route.ts';
import { PAGE_HEADERS } from './security-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    raw_body: Buffer | null;
  }
}

interface AnswerDeps {
  readonly db: Kysely<DB>;
  readonly clock: Clock;
  readonly idempotency: Idempotency;
}

type AnyCall = Call<Auth, unknown, unknown, unknown>;

export const CHANGING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const JSON_TYPE = 'application/json; charset=utf-8';
const NO_BYTES = Buffer.alloc(0);
const iso = isoPrinter();

/**
 * Runs the handler and renders what it answers. With an `Idempotency-Key` the answer is stored too,
 * in the same transaction where the endpoint is atomic.
 */
export function answererOf(
  route: Route,
  { db, clock, idempotency }: AnswerDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const { endpoint } = route;
  const render = rendererOf(route, clock);
  return (request, reply) => {
    const key = CHANGING.has(request.method) ? request.headers['idempotency-key'] : undefined;
    if (key !== undefined) return answerOnce(key, request, reply);
    if (endpoint.atomic)
      return work(request, reply, randomUUID()).then((told) => send(reply, told));
    // The same as `work`, for most requests, with a promise less.
    const answered = endpoint.handler(callOf(request, db, randomUUID()));
    return answered.then((answer) => send(reply, render(answer, request, reply)));
  };

  function work(request: FastifyRequest, reply: FastifyReply, operation: string, claim?: Claim) {
    const within = async (tx: Kysely<DB>): Promise<StoredAnswer> => {
      const answer = await endpoint.handler(callOf(request, tx, operation));
      const told = render(answer, request, reply);
      if (claim) await idempotency.keep(tx, claim, told);
      return told;
    };
    return endpoint.atomic ? transact(db, within) : within(db);
  }

  async function answerOnce(
    key: string | string[],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const claim = await claimOf(key, request, idempotency);
    if ('payload' in claim) return send(reply.header('idempotent-replayed', 'true'), claim);
    try {
      return send(reply, await work(request, reply, claim.operation, claim));
    } catch (error) {
      await settleFailure(route, request, claim, error, { db, clock, idempotency });
      throw error;
    }
  }
}

function send(reply: FastifyReply, { status, type, payload }: StoredAnswer): FastifyReply {
  if (type !== JSON_TYPE) reply.headers(PAGE_HEADERS);
  return reply.code(status).type(type).send(payload);
}

function callOf(request: FastifyRequest, db: Kysely<DB>, operation: string): AnyCall {
  return {
    caller: request.caller,
    params: request.params,
    query: request.query,
    body: request.body,
    request: {
      id: request.id,
      ip: request.ip,
      userAgent: String(request.headers['user-agent'] ?? '').slice(0, 300),
      headers: request.headers,
      raw: request.raw_body ?? NO_BYTES,
    },
    db,
    operation,
  };
}

/** Dresses what a handler returned and serializes it by the declared reply. */
function rendererOf({ endpoint, family }: Route, clock: Clock) {
  const usual = Math.min(...Object.keys(endpoint.reply).map(Number));
  return (answer: unknown, request: FastifyRequest, reply: FastifyReply): StoredAnswer => {
    if (answer instanceof Html)
      return { status: answer.status, type: 'text/html; charset=utf-8', payload: answer.text };
    const { status, body } = answer instanceof At ? answer : at(usual, answer);
    const dressed = Array.isArray(body)
      ? body
      : family.success(body as object, envelopeOf(request, clock));
    const payload = String(
      reply.serializeInput(dressed as Record<string, unknown>, String(status)),
    );
    return { status, type: JSON_TYPE, payload };
  };
}

const envelopeOf = (request: FastifyRequest, clock: Clock): Envelope => ({
  at: iso(clock.now().getTime()),
  requestId: request.id,
});

async function claimOf(
  key: string | string[],
  request: FastifyRequest,
  idempotency: Idempotency,
): Promise<Claim | StoredAnswer> {
  if (typeof key !== 'string' || key.length === 0 || key.length > IDEMPOTENCY_KEY_MAX)
    throw fail(
      'VALIDATION_ERROR',
      `Idempotency-Key must have 1 to ${IDEMPOTENCY_KEY_MAX} characters`,
    );
  const { caller } = request;
  const keyId = caller?.key?.key_id ?? `ip:${request.ip}`;
  const user =
    caller && 'user_id' in caller
      ? caller.user_id
      : caller && 'userx_id' in caller
        ? `x${caller.userx_id}`
        : '';
  const path = request.url.split('?', 1)[0];
  return idempotency.claim({
    key,
    owner: [keyId, user, request.method, path].join('\n'),
    body: `${request.url.slice(path?.length)}\n${request.raw_body?.toString('utf8') ?? ''}`,
  });
}

/** What the caller did wrong stays answered; what we did wrong may be tried again. */
async function settleFailure(
  route: Route,
  request: FastifyRequest,
  claimed: Claim,
  error: unknown,
  { idempotency, db, clock }: AnswerDeps,
): Promise<void> {
  const known = toAppError(error, route);
  const undecided = known.status >= 500 || known.status === 429;
  const release = async () => {
    if (await idempotency.release(claimed)) return;
    const facts = { reqId: request.id, route: route.id };
    request.log.warn(facts, 'An Idempotency-Key could not be given back yet');
  };
  // What the caller must hear is not known twice, so it is told also when the key is not free yet.
  if (undecided || known.code === 'IDEMPOTENCY_IN_PROGRESS') return release();
  const answer = {
    status: known.status,
    type: JSON_TYPE,
    payload: JSON.stringify(route.family.error(known, envelopeOf(request, clock))),
  };
  await idempotency.keep(db, claimed, answer).catch(async (lost: unknown) => {
    await release();
    throw lost;
  });
}
