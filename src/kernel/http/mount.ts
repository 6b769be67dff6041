import { randomUUID } from 'node:crypto';
import type { ValidateFunction } from 'ajv';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Doors } from '../access/doors.ts';
import type { Clock } from '../clock.ts';
import type { DB } from '../db/schema.generated.ts';
import { transact } from '../db/transact.ts';
import { fail } from './error.ts';
import { toAppError } from './faults.ts';
import {
  type Claim,
  IDEMPOTENCY_KEY_MAX,
  type Idempotency,
  type StoredAnswer,
} from './idempotency.ts';
import { type Limits, limitOf, spender } from './limits.ts';
import { At, type Auth, at, type Call, type Caller, Html, type Route } from './route.ts';
import { requestAjv, storable } from './wire.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route;
  }
  interface FastifyRequest {
    caller: Caller<Auth>;
    raw_body: Buffer;
  }
}

export interface MountDeps {
  readonly db: Kysely<DB>;
  readonly clock: Clock;
  readonly doors: Doors;
  readonly limits: Limits;
  readonly idempotency: Idempotency;
}

/** The one place where declarations meet Fastify: limits, doors, validation, idempotency, envelopes. */
export function mount(server: FastifyInstance, routes: readonly Route[], deps: MountDeps): void {
  const ajv = requestAjv();
  server.setValidatorCompiler<object>(({ schema }) => whenNeeded(() => ajv.compile(schema)));
  for (const route of routes) mountOne(server, route, deps);
  refuseOtherMethods(server, routes, deps);
  server.setNotFoundHandler(async (request, reply) => {
    await deps.limits.spend('public', `ip:${request.ip}`, reply);
    throw fail('NOT_FOUND', 'Not found');
  });
}

/** Compiles at the first request: doing so for every endpoint at once would slow each start down. */
function whenNeeded(compile: () => ValidateFunction): Validator {
  let compiled: ValidateFunction | undefined;
  const validate: Validator = (data) => {
    compiled ??= compile();
    const valid = compiled(data);
    validate.errors = compiled.errors ?? null;
    return valid;
  };
  return validate;
}
type Validator = ReturnType<FastifySchemaCompiler<object>>;

/** `/users/{user_id}` as the router spells it. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

function mountOne(server: FastifyInstance, route: Route, deps: MountDeps): void {
  const { endpoint } = route;
  const { params, query, body, reply } = endpoint;
  const [method = '', path = ''] = route.id.split(' ');
  server.route({
    method,
    url: routerPath(path),
    exposeHeadRoute: !endpoint.once,
    config: { route },
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      response: reply,
    },
    onRequest: (request, answer) => enter(route, request, answer, deps),
    preValidation: (request, _answer, done) => {
      if (body) request.body ??= {};
      const kept = storable(request.body) && storable(request.params) && storable(request.query);
      done(kept ? undefined : fail('VALIDATION_ERROR', UNSTORABLE));
    },
    handler: (request, answer) => serve(route, request, answer, deps),
  });
}

/** Rate limit, key, token, role: in this order, before the body is read. */
async function enter(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  { doors, limits }: MountDeps,
): Promise<void> {
  const limit = limitOf(route);
  // Keys made by a user count for that user, who is not known before the door.
  const perUser = limit === 'key-generation' && route.endpoint.auth === 'user';
  const first = perUser ? 'authenticated' : limit;
  await limits.spend(first, spender(first, request, doors.budgetOf(request)), reply);
  const caller = doors.authenticate(route, request);
  request.caller = caller instanceof Promise ? await caller : caller;
  if (perUser && request.caller && 'user_id' in request.caller)
    await limits.spend(limit, `user:${request.caller.user_id}`, reply);
}

async function serve(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: MountDeps,
): Promise<FastifyReply> {
  const key = CHANGING.has(request.method) ? request.headers['idempotency-key'] : undefined;
  const claimed = key === undefined ? undefined : await claim(key, request, deps.idempotency);
  if (claimed && 'payload' in claimed) {
    reply.header('idempotent-replayed', 'true');
    return reply.code(claimed.status).type(claimed.type).send(claimed.payload);
  }
  const answerer = answererOf(route, request, reply, deps);
  if (!claimed) {
    const told = await answerer(randomUUID(), deps.db);
    return reply.code(told.status).type(told.type).send(told.payload);
  }
  try {
    const told = await answerer(claimed.operation, deps.db, claimed);
    return reply.code(told.status).type(told.type).send(told.payload);
  } catch (error) {
    await settleFailure(route, request, claimed, error, deps);
    throw error;
  }
}

interface Told {
  readonly status: number;
  readonly type: string;
  readonly payload: string;
}

/** Runs the handler and renders what it answers, storing it in the same transaction if asked to. */
function answererOf(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: MountDeps,
): (operation: string, db: Kysely<DB>, claim?: Claim) => Promise<Told> {
  const { endpoint, family } = route;
  const usual = Math.min(...Object.keys(endpoint.reply).map(Number));
  const call: Omit<Call<Auth, unknown, unknown, unknown>, 'db' | 'operation'> = {
    caller: request.caller,
    params: request.params,
    query: request.query,
    body: request.body,
    request: {
      id: request.id,
      ip: request.ip,
      userAgent: String(request.headers['user-agent'] ?? '').slice(0, 300),
      headers: request.headers,
      raw: request.raw_body ?? Buffer.alloc(0),
    },
  };
  const render = (answer: unknown): Told => {
    if (answer instanceof Html)
      return { status: answer.status, type: 'text/html; charset=utf-8', payload: answer.text };
    const { status, body } = answer instanceof At ? answer : at(usual, answer);
    const envelope = { at: deps.clock.now().toISOString(), requestId: request.id };
    const dressed = Array.isArray(body) ? body : family.success(body as object, envelope);
    const payload = String(
      reply.serializeInput(dressed as Record<string, unknown>, String(status)),
    );
    return { status, type: 'application/json; charset=utf-8', payload };
  };
  return async (operation, db, claimed) => {
    if (endpoint.atomic)
      return transact(db, async (tx) => {
        const told = render(await endpoint.handler({ ...call, db: tx, operation }));
        if (claimed) await deps.idempotency.keep(tx, claimed, told);
        return told;
      });
    const told = render(await endpoint.handler({ ...call, db, operation }));
    if (claimed) await deps.idempotency.keep(db, claimed, told);
    return told;
  };
}

const UNSTORABLE = 'Text must be valid Unicode without NUL, nested reasonably';
const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

async function claim(
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
  { idempotency, db, clock }: MountDeps,
): Promise<void> {
  const known = toAppError(error, route);
  const undecided = known.status >= 500 || known.status === 429;
  if (undecided || known.code === 'IDEMPOTENCY_IN_PROGRESS') {
    await idempotency.release(claimed);
    return;
  }
  const envelope = { at: clock.now().toISOString(), requestId: request.id };
  await idempotency.keep(db, claimed, {
    status: known.status,
    type: 'application/json; charset=utf-8',
    payload: JSON.stringify(route.family.error(known, envelope)),
  });
}

/** A path that exists answers other methods with 405 and what it allows, in its own family. */
function refuseOtherMethods(
  server: FastifyInstance,
  routes: readonly Route[],
  { limits }: MountDeps,
): void {
  const byPath = new Map<string, Route[]>();
  for (const route of routes) {
    // Parameters of one place may have other names in other rows.
    const path = (route.id.split(' ')[1] ?? '').replace(/\{\w+\}/g, '{}');
    byPath.set(path, [...(byPath.get(path) ?? []), route]);
  }
  for (const same of byPath.values()) {
    const [first] = same;
    if (!first) continue;
    const allowed = new Set(same.map(({ id }) => id.split(' ')[0] ?? ''));
    const once = same.some(({ endpoint }) => endpoint.once);
    if (allowed.has('GET') && !once) allowed.add('HEAD');
    // Where GET is refused, Fastify adds HEAD to it.
    const reading = allowed.has('GET') ? ['HEAD'] : ['GET'];
    const refused = [...CHANGING, ...reading].filter((method) => !allowed.has(method));
    if (refused.length === 0) continue;
    server.route({
      method: refused,
      url: routerPath(first.id.split(' ')[1] ?? ''),
      config: { route: first },
      onRequest: (request, reply) => limits.spend('public', `ip:${request.ip}`, reply),
      handler: async (_request, reply) => {
        reply.header('allow', [...allowed].join(', '));
        throw fail('METHOD_NOT_ALLOWED', 'Method not allowed');
      },
    });
  }
}
