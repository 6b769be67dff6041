import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { fail } from '#kernel/error.ts';
import { isChanging } from '#kernel/http/answer/handler-call.ts';
import type { Limits } from '#kernel/http/answer/limits.ts';
import { carry, carryAlways, ReadyAnswer } from '#kernel/http/answer/ready-answer.ts';
import { type Envelope, errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { toAppError } from '#kernel/http/declare/faults.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import { retryLines } from '#kernel/http/declare/retrying.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { PAGE_HEADERS, SHOWN_HEADERS } from '#kernel/http/declare/security-headers.ts';
import { BODIES } from '#kernel/http/declare/wire.ts';
import { failurePage, isForPeople } from '#kernel/http/pages/failure-page.ts';
import type { Clock } from '../../clock.ts';
import { type Logger, type LogRequester, requestLines } from '../../log.ts';
import type { Metrics } from '../../metrics.ts';
import { originOf, type TrustedProxies, trustOf } from '../../proxies.ts';
import { addressSuggester } from './address-suggestions.ts';
import { readBodies } from './body.ts';
import { type ConnectionsMax, capConnections, leaveUnread } from './connections.ts';
import { allowOrigins } from './cors.ts';
import { drainConnections } from './drain-connections.ts';
import { ignoredHint } from './ignored-fields.ts';
import { refuseMalformed } from './malformed-requests.ts';
import { observed, type RequestObserver } from './observer.ts';
import { createRefuseMethod } from './other-methods.ts';
import { isUnrouted, limitUnrouted } from './unrouted.ts';
import { type Versions, versionsOf } from './versions.ts';

/** What has not arrived as a whole by then has been given up: it is looked for so often meanwhile. */
const REQUEST_TIMEOUT_MS = 60_000;
const TIMEOUT_CHECK_MS = 12;
const ANSWER_MS = 5000;
const REQUEST_ID = /^[\w.:-]{1,128}$/;
const API_PATHS = `${API_PREFIX}/`;

export interface ServerOptions {
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly limits: Limits;
  /** Whether the lines of requests say where they came from. */
  readonly logAddresses?: boolean;
  readonly corsOrigins: string;
  readonly trustProxy: string | undefined;
  /** How many connections it holds; any number where nothing is said. */
  readonly connectionsMax?: ConnectionsMax | undefined;
  /** How long a request may take to arrive as a whole, instead of the usual minute. */
  readonly requestTimeoutMs?: number;
  /** How long a stop waits for requests in flight. */
  readonly answerMs?: number;
  /** Where this service is reached from outside, for the links in its errors. */
  publicUrl(): string;
  /** The versions of the API, instead of those that there are. */
  readonly versions?: Versions;
  /** Hear of each answered request. */
  readonly observers?: readonly RequestObserver[];
  /** To give errors outside any endpoint their neighbours' envelope. */
  readonly routes: readonly Route[];
}

/** Fastify with our limits, headers, one log line a request and one error handler. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { log, metrics, limits, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const trusts = trustOf(options.trustProxy);
  const versions = options.versions ?? versionsOf();
  const answerFailure = failureAnswerer(options);
  const server = Fastify({
    loggerInstance: withoutChildren(log),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODIES.fields.bytes,
    ...arrivalWithin(requestTimeoutMs),
    keepAliveTimeout: 65_000,
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: requestIdOf,
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: (error, request, reply) => {
      // An address that cannot be read is refused before any hook.
      setHeaders(reply, request.id, versions);
      answerFailure(error, request, reply);
    },
    clientErrorHandler: refuseMalformed(options),
  }) as unknown as FastifyInstance;
  // What is ours on a request is not declared to Fastify, which would set each of it once more.
  exposeOrigins(server, trusts);
  server.setErrorHandler<FastifyError>(answerFailure);
  server.setNotFoundHandler((...call) => answerFailure(fail('NOT_FOUND', 'Not found'), ...call));
  const connections = drainConnections(server, options.answerMs ?? ANSWER_MS);
  const refuseMethod = createRefuseMethod(options.routes);
  admitRequests(server, { limits, versions, refuseMethod }, connections);
  watchAnswers(server, {
    log,
    metrics,
    addresses: options.logAddresses ?? false,
    observers: options.observers ?? [],
  });
  const { connectionsMax: max } = options;
  if (max !== undefined) capConnections(server.server, { max, trusts, log });
  readBodies(server);
  await allowOrigins(server, options.corsOrigins);
  return server;
}

/** One hook for all that comes before a route, since each costs a request something. */
function admitRequests(
  server: FastifyInstance,
  { versions, ...unrouted }: Parameters<typeof limitUnrouted>[0] & { readonly versions: Versions },
  connections: ReturnType<typeof drainConnections>,
): void {
  server.addHook('onRequest', (request, reply, done) => {
    const ofApi = request.url.startsWith(API_PATHS);
    setHeaders(reply, request.id, ofApi ? versions : undefined);
    const refusal = connections.refusal();
    if (refusal || (ofApi && !isUnrouted(request))) done(refusal);
    else limitUnrouted(unrouted, request, reply, ofApi).then(() => done(), done);
  });
}

/** One line and one observation for each answer. */
function watchAnswers(
  server: FastifyInstance,
  {
    log,
    metrics,
    addresses,
    observers,
  }: Pick<Required<ServerOptions>, 'log' | 'metrics' | 'observers'> & { addresses: boolean },
): void {
  const writeLine = requestLines(log);
  server.addHook('onResponse', (request, reply, done) => {
    // Fastify builds a route's options again at each read.
    const route = request.route?.id ?? request.routeOptions.url ?? 'unknown';
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    metrics.observe(route, reply.statusCode, ms / 1000);
    if (request.code !== undefined) metrics.failed(route, request.code);
    if (request.replayed) metrics.replayed(route);
    // The declared path, not the address: addresses may carry tokens.
    writeLine({
      reqId: request.id,
      route,
      status: reply.statusCode,
      ms,
      code: request.code,
      who: whoAsked(request),
      ip: addresses ? request.ip : undefined,
      operation: request.operation,
      replayed: request.replayed,
      trace_id: request.trace_id,
    });
    observed(request, reply, observers);
    leaveUnread(request.raw);
    done();
  });
}

/** As far as it was proven: of a refused token the key that it came with. */
function whoAsked({ caller, known_key }: FastifyRequest): LogRequester | undefined {
  if (!caller) return known_key && { client_id: known_key.client_id, key: known_key.prefix };
  const { key } = caller;
  if ('user_id' in caller)
    return { client_id: caller.client_id, user_id: caller.user_id, key: key?.prefix };
  const owner = { client_id: key?.client_id, user_id: key?.user_id, key: key?.prefix };
  return 'userx_id' in caller ? { ...owner, userx_id: caller.userx_id } : owner;
}

/** What every answer carries. Those of the API are many, and change none of it later. */
function setHeaders(reply: FastifyReply, id: string, ofApi: Versions | undefined): void {
  if (ofApi) carryAlways(reply, 'guard', ofApi.headers);
  else reply.headers(PAGE_HEADERS);
  carry(reply, 'id', `x-request-id: ${id}\r\n`);
}

/** Our own lines name the request themselves; a logger for each would cost it more than its line. */
function withoutChildren(log: Logger): Logger {
  const alone: Logger = Object.create(log, { child: { value: () => alone } });
  return alone;
}

/** What is late is found at a look, and there are so many of them in the time. */
function arrivalWithin(ms: number) {
  const lookMs = ms / TIMEOUT_CHECK_MS;
  const arrivalMs = ms - lookMs;
  return {
    requestTimeout: arrivalMs,
    http: {
      headersTimeout: arrivalMs,
      connectionsCheckingInterval: lookMs,
      // A request that says nothing of a body has none to wait for; see receiveBody.
      optimizeEmptyRequests: true,
      ServerResponse: ReadyAnswer,
    },
  };
}

function requestIdOf({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}

/** Answers a failure in the envelope of the requested route. */
function failureAnswerer({
  log,
  clock,
  routes,
  publicUrl,
}: Pick<ServerOptions, 'log' | 'clock' | 'routes' | 'publicUrl'>) {
  const envelopeAt = envelopeFinder(routes);
  const nearbyOf = addressSuggester(routes);
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    // Before the route's own hooks only the router knows it.
    const route = request.route ?? request.routeOptions?.config?.route;
    const known = toAppError(error, route);
    request.code = known.code;
    if (request.is404 && known.code === 'NOT_FOUND')
      known.hint ??= nearbyOf(request.method, request.url);
    known.hint ??= ignoredHint(known, request.ignored);
    if (known.code === 'INTERNAL' || (known.status >= 500 && known.cause !== undefined))
      log.error({ reqId: request.id, err: known.cause ?? known, route: route?.id }, 'unforeseen');
    carry(
      reply,
      'failure',
      retryLines(known, { isChanging: isChanging(request.method), progress: request.progress }),
    );
    // Fastify would close it under a caller who is still sending; see leaveUnread.
    if (known.code !== 'SHUTTING_DOWN') reply.removeHeader('connection');
    if (request.routeOptions?.config?.isPage || isForPeople(request, API_PATHS)) {
      const { status, text } = failurePage(known, request.id);
      if (route) carryAlways(reply, 'guard', SHOWN_HEADERS);
      return reply.code(status).type('text/html; charset=utf-8').send(text);
    }
    const envelope = route?.envelope ?? envelopeAt(request.url);
    const body = envelope.error(known, {
      at: clock.now().toISOString(),
      requestId: request.id,
      publicUrl,
    });
    // Not the route's own serializer: a declared 404 body would strip a thrown 404 of its fields.
    return reply
      .code(known.status)
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(body);
  };
}

/** The envelope of the endpoints that share a path's first word. */
function envelopeFinder(routes: readonly Route[]): (url: string) => Envelope {
  const envelopes = new Map<string, Envelope>();
  for (const { id, envelope } of routes) {
    const area = id.split('/')[1] ?? '';
    if (!envelopes.has(area)) envelopes.set(area, envelope);
  }
  return (url) =>
    envelopes.get(url.slice(API_PREFIX.length).split(/[/?]/)[1] ?? '') ?? errorEnvelope;
}

/** Everybody who asks for a request's address gets the one that counts. */
function exposeOrigins(server: FastifyInstance, trusts: TrustedProxies): void {
  server.decorateRequest('ip', {
    getter() {
      const { socket, headers } = this;
      return originOf(socket.remoteAddress ?? '', headers['x-forwarded-for'], trusts);
    },
  });
}
