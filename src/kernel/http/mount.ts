import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { Kysely } from 'kysely';
import type { Authenticator } from '../access/authenticator.ts';
import type { Clock } from '../clock.ts';
import type { DB } from '../db/schema.generated.ts';
import { nearestOf } from '../nearest.ts';
import { answererOf } from './answer.ts';
import { authenticationOf } from './authenticate.ts';
import { endNothing, UNSTORABLE } from './body.ts';
import { announcing } from './deprecated.ts';
import { type AppError, fail } from './error.ts';
import { CHANGING } from './handler-call.ts';
import type { Histories } from './histories.ts';
import type { Idempotency } from './idempotency.ts';
import { ignoredFieldsOf } from './ignored.ts';
import { byAddress, type Limits } from './limits.ts';
import type { Route } from './route.ts';
import { traced } from './traced.ts';
import { BODIES, type BodyKind, requestCompiler, storable } from './wire.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route;
  }
}

export interface MountDeps {
  readonly db: Kysely<DB>;
  readonly clock: Clock;
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly idempotency: Idempotency;
  readonly histories: Histories;
  publicUrl(): string;
}

/** The one place where declarations meet Fastify: limits, doors, validation, idempotency, envelopes. */
export function mount(server: FastifyInstance, routes: readonly Route[], deps: MountDeps): void {
  // What a request says beyond its schema must not reach a handler, even one that hands the rest on.
  const compilers = {
    fields: requestCompiler({ declaredOnly: true }),
    list: requestCompiler({ declaredOnly: true, firstOnly: true }),
  };
  for (const route of routes) mountOne(server, route, deps, compilers);
  refuseOtherMethods(server, routes, deps);
}

type Compilers = Readonly<Record<BodyKind, FastifySchemaCompiler<object>>>;

/** `/users/{user_id}` as the router spells it. */
const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

function mountOne(
  server: FastifyInstance,
  route: Route,
  deps: MountDeps,
  compilers: Compilers,
): void {
  const { endpoint } = route;
  const { params, query, body, bodyKind = 'fields' } = endpoint;
  const [method = '', path = ''] = route.id.split(' ');
  const answer = traced(route, answererOf(route, deps));
  const nameIgnored = endpoint.signed ? undefined : ignoredFieldsOf(body);
  server.route({
    method,
    url: routerPath(path),
    exposeHeadRoute: !endpoint.once,
    config: { route },
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
    },
    bodyLimit: BODIES[bodyKind].bytes,
    validatorCompiler: compilers[bodyKind],
    onRequest: [
      ...(endpoint.deprecated ? [announcing(endpoint.deprecated)] : []),
      authenticationOf(route, deps),
    ],
    ...(CHANGING.has(method) && { preParsing: endNothing }),
    preValidation: (request, reply, done) => {
      if (body) request.body ??= {};
      nameIgnored?.(request, reply);
      const isProven = endpoint.signed?.(request.raw_body ?? NO_BYTES, request.headers) ?? true;
      if (typeof isProven === 'boolean') done(refusalOf(isProven, request));
      else isProven.then((is) => done(refusalOf(is, request)), done);
    },
    // Given a promise, Fastify makes two functions and another promise to follow it.
    handler: (request, reply) => {
      answer(request, reply).catch((error: unknown) => reply.send(errorOf(error)));
    },
  });
}

/** Anything else would be sent as it is. */
const errorOf = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error('Something that is no error', { cause: thrown });

const NO_BYTES = Buffer.alloc(0);

/** What is wrong before any schema is asked. The body's own text was looked at when it was read. */
function refusalOf(isProven: boolean, request: FastifyRequest): AppError | undefined {
  if (!isProven) return fail('INVALID_SIGNATURE', 'Invalid signature');
  const { url, params, query } = request;
  // Only an escape brings such text into a path, and most have none.
  const clean = (!url.includes('%') || storable(params)) && storable(query);
  if (!clean) return fail('VALIDATION_ERROR', UNSTORABLE);
  return url.includes('?') ? unknownParameters(query as object, request.route) : undefined;
}

/**
 * A misspelt filter would otherwise answer everything (decisions: Shapes). Senders of signed calls put
 * into their addresses what they like.
 */
function unknownParameters(query: object, route: Route | undefined): AppError | undefined {
  if (!route || route.endpoint.signed) return undefined;
  const { properties = {} } = (route.endpoint.query ?? {}) as { properties?: object };
  const unknown = Object.keys(query).filter((name) => !(name in properties));
  if (unknown.length === 0) return undefined;
  const known = Object.keys(properties);
  const rest = known.length === 0 ? 'there are none here' : `known are ${known.join(', ')}`;
  const meant = nearestOf(unknown[0] ?? '', known);
  return fail('VALIDATION_ERROR', `Unknown query parameter ${unknown[0]?.slice(0, 50)}: ${rest}`, {
    ...(meant !== undefined && { hint: `Did you mean ${meant}?` }),
    details: unknown
      .slice(0, UNKNOWN_MAX)
      .map((field) => ({ field, message: 'is not known here' })),
  });
}

const UNKNOWN_MAX = 50;

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
      // Before any body is read.
      onRequest: async (request, reply) => {
        request.route = first;
        await limits.spend(byAddress('public', request.ip), reply);
        const all = [...allowed].join(', ');
        reply.header('allow', all);
        throw fail('METHOD_NOT_ALLOWED', 'Method not allowed', {
          hint: `There is no ${request.method} here. Use ${all}.`,
        });
      },
      handler: async () => undefined,
    });
  }
}
