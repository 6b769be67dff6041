import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { Kysely } from 'kysely';
import { type AppError, fail } from '#kernel/error.ts';
import { answererOf } from '#kernel/http/answer/answer.ts';
import { dayResolverOf } from '#kernel/http/answer/days.ts';
import { type DryRunDeps, isDryRun } from '#kernel/http/answer/dry-run-answer.ts';
import { CHANGING } from '#kernel/http/answer/handler-call.ts';
import type { Histories } from '#kernel/http/answer/histories.ts';
import type { Idempotency } from '#kernel/http/answer/idempotency.ts';
import { knownFieldsOf, unknownFieldRefusal } from '#kernel/http/answer/known-fields.ts';
import { byAddress, type Limits } from '#kernel/http/answer/limits.ts';
import { announcing } from '#kernel/http/declare/deprecated.ts';
import { queryWithDryRun, takesDryRun } from '#kernel/http/declare/dry-run-field.ts';
import { raised } from '#kernel/http/declare/earlier.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { Nothing } from '#kernel/http/declare/schema.ts';
import { BODIES, type BodyKind, requestCompiler, storable } from '#kernel/http/declare/wire.ts';
import { showsPage } from '#kernel/http/pages/failure-page.ts';
import type { Authenticator } from '../../access/authenticator.ts';
import type { Clock } from '../../clock.ts';
import type { DB } from '../../db/schema.generated.ts';
import type { CeilingShares } from '../../quota/shares.ts';
import { nearestOf } from '../../spelling.ts';
import { authenticationOf } from './authenticate.ts';
import { FILE_BODY, receiveBody, receiveBytes, receiveEither, UNSTORABLE } from './body.ts';
import { ignoredFieldsOf } from './ignored-fields.ts';
import { createRefuseMethod, hiddenMethods } from './other-methods.ts';
import { traced } from './traced.ts';
import { type Versions, versionsOf } from './versions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where its body has a field that what moves money does not know. */
    unknown_field?: AppError;
  }
  interface FastifyContextConfig {
    route?: Route;
    /** Shown to people, and so are its failures. */
    isPage?: boolean;
  }
}

export interface MountDeps extends DryRunDeps {
  readonly db: Kysely<DB>;
  readonly clock: Clock;
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly idempotency: Idempotency;
  readonly histories: Histories;
  readonly shares: Pick<CeilingShares, 'enter'>;
  /** The versions of the API, instead of those that there are. */
  readonly versions?: Versions;
  publicUrl(): string;
}

/** The one place where declarations meet Fastify: limits, doors, validation, idempotency, envelopes. */
export function mount(server: FastifyInstance, routes: readonly Route[], deps: MountDeps): void {
  // What a request says beyond its schema must not reach a handler, even one that hands the rest on.
  const compilers = {
    fields: requestCompiler({ declaredOnly: true }),
    list: requestCompiler({ declaredOnly: true, firstOnly: true }),
    payments: requestCompiler({ declaredOnly: true, firstOnly: true }),
  };
  const versions = deps.versions ?? versionsOf();
  for (const route of routes) mountOne(server, route, { ...deps, versions }, compilers);
  refuseHidden(server, routes, deps);
}

type Compilers = Readonly<Record<BodyKind, FastifySchemaCompiler<object>>>;

/** `/users/{user_id}` as the router spells it. */
const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

function mountOne(
  server: FastifyInstance,
  route: Route,
  deps: MountDeps & Required<Pick<MountDeps, 'versions'>>,
  compilers: Compilers,
): void {
  const { endpoint } = route;
  deps.versions.check(route);
  const { params, query, body, bodyKind = 'fields' } = endpoint;
  const asked = takesDryRun(route) ? queryWithDryRun(endpoint) : query;
  const [method = '', path = ''] = route.id.split(' ');
  const answer = traced(route, answererOf(route, deps));
  const nameIgnored = endpoint.signed ? undefined : ignoredFieldsOf(body);
  const refuseUnknown = unknownRefuserOf(route);
  server.route({
    method,
    url: routerPath(path),
    exposeHeadRoute: !endpoint.once,
    config: { route, isPage: showsPage(route) },
    schema: {
      ...(params && { params }),
      ...(asked && { querystring: asked }),
      ...(body && { body }),
    },
    bodyLimit: (endpoint.bytes ?? endpoint.alsoBytes)?.most ?? BODIES[bodyKind].bytes,
    validatorCompiler: endpoint.alsoBytes ? sparingFiles(compilers[bodyKind]) : compilers[bodyKind],
    onRequest: [
      ...(endpoint.deprecated ? [announcing(endpoint.deprecated)] : []),
      authenticationOf(route, deps),
      ...(endpoint.requiresKey ? [requireKey] : []),
    ],
    ...(CHANGING.has(method) && { preParsing: receiverOf(endpoint) }),
    preValidation: (request, reply, done) => {
      if (body) request.body ??= request.byte_stream ? FILE_BODY : {};
      if (request.earlier) request.body = raised(request, request.earlier);
      nameIgnored?.(request, reply);
      refuseUnknown?.note(request);
      const isProven =
        endpoint.signed?.(request.raw_body ?? NO_BYTES, request.headers, request.url) ?? true;
      if (typeof isProven === 'boolean') done(refusalOf(isProven, request));
      else isProven.then((is) => done(refusalOf(is, request)), done);
    },
    preHandler: [...(refuseUnknown ? [refuseUnknown.hook] : []), ...dayHooks(route, deps)],
    // Given a promise, Fastify makes two functions and another promise to follow it.
    handler: (request, reply) => {
      answer(request, reply).catch((error: unknown) => reply.send(errorOf(error)));
    },
  });
}

const receiverOf = ({ bytes, alsoBytes }: Route['endpoint']) => {
  if (bytes) return receiveBytes;
  return alsoBytes ? receiveEither : receiveBody;
};

/** A body that is a file has no fields that a schema could ask for. */
const sparingFiles =
  (compiler: FastifySchemaCompiler<object>): FastifySchemaCompiler<object> =>
  (route) => {
    const validate = compiler(route);
    const sparing: typeof validate = (data) => {
      const isValid = data === FILE_BODY || validate(data);
      sparing.errors = isValid === true ? null : (validate.errors ?? null);
      return isValid;
    };
    return sparing;
  };

/** Without a key a repetition would move the money twice. */
const requireKey = (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) =>
  done(
    request.headers['idempotency-key'] === undefined && !isDryRun(request)
      ? fail('IDEMPOTENCY_KEY_REQUIRED', 'The header Idempotency-Key is required')
      : undefined,
  );

/** Turns the days of a valid request into moments. */
function dayHooks({ endpoint }: Route, { db }: MountDeps) {
  const resolveDays = dayResolverOf(endpoint);
  return resolveDays ? [(request: FastifyRequest) => resolveDays(db, request.caller, request)] : [];
}

/**
 * Of what moves money: unknown fields are found before the schema leaves them out, and refused after what is
 * wrong by the schema, which has the contract's own messages.
 */
function unknownRefuserOf({ endpoint: { body, movesMoney } }: Route) {
  if (!movesMoney) return undefined;
  const known = knownFieldsOf(body ?? Nothing);
  return {
    note(request: FastifyRequest): void {
      const refusal = unknownFieldRefusal(request.body, known);
      if (refusal) request.unknown_field = refusal;
    },
    hook: (
      { unknown_field }: FastifyRequest,
      _reply: FastifyReply,
      done: (error?: Error) => void,
    ) => done(unknown_field),
  };
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
  const unknown = Object.keys(query).filter((name) => !isKnownParameter(name, route, properties));
  if (unknown.length === 0) return undefined;
  const known = [...Object.keys(properties), ...(takesDryRun(route) ? ['dry_run'] : [])];
  const rest = known.length === 0 ? 'there are none here' : `known are ${known.join(', ')}`;
  const meant = nearestOf(unknown[0] ?? '', known);
  return fail('VALIDATION_ERROR', `Unknown query parameter ${unknown[0]?.slice(0, 50)}: ${rest}`, {
    ...(meant !== undefined && { hint: `Did you mean ${meant}?` }),
    details: unknown
      .slice(0, UNKNOWN_MAX)
      .map((field) => ({ field, message: 'is not known here' })),
  });
}

const isKnownParameter = (name: string, route: Route, properties: object): boolean =>
  name in properties || (name === 'dry_run' && takesDryRun(route));

const UNKNOWN_MAX = 50;

/** Where another path would answer in its place; all others are refused as no route has them (createRefuseMethod). */
function refuseHidden(
  server: FastifyInstance,
  routes: readonly Route[],
  { limits }: MountDeps,
): void {
  const refuse = createRefuseMethod(routes);
  for (const { route, methods } of hiddenMethods(routes))
    server.route({
      method: methods,
      url: routerPath(route.id.split(' ')[1] ?? ''),
      exposeHeadRoute: false,
      config: { route },
      // Before any body is read.
      onRequest: async (request, reply) => {
        await limits.spend(byAddress('public', request.ip), reply);
        throw refuse(request, reply) ?? fail('NOT_FOUND', 'Not found');
      },
      handler: async () => undefined,
    });
}
