import type { AddressInfo } from 'node:net';
import type { ErrorObject } from 'ajv';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { complaint } from '#kernel/http/declare/faults.ts';
import { scope } from '#kernel/http/declare/scope.ts';
import { requestCompiler, storable } from '#kernel/http/declare/wire.ts';
import { escapeHtml } from '#kernel/http/pages/pages.ts';
import { createCallbacks } from './callbacks.ts';
import { clockControls } from './clock-controls.ts';
import { faultControls } from './fault-controls.ts';
import { createFaults } from './faults.ts';
import { showPage } from './hosted-page.ts';
import { isExposed, isForeign, refuseForeign } from './own-host.ts';
import { servePage } from './page.ts';
import { keepRawBodies } from './raw-body.ts';
import { createRecords } from './records.ts';
import type { Simulator, World } from './simulator.ts';
import { statementControls } from './statement-faults.ts';
import { acceptUpgrades } from './upgrades.ts';
import { misbehave } from './wire-faults.ts';

export interface SandboxOptions {
  readonly db: Db;
  /** Names the state it works on, so that processes can tell whether a sandbox is theirs. */
  readonly id?: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly simulators: readonly Simulator[];
  /** The service's base address, `http://localhost:3000/api`; asked for at each call-back. */
  serviceUrl(): string;
  /** Moves the service's time forward by whole seconds and lets what thereby falls due run. */
  advance(seconds: number): Promise<void>;
}

export interface Sandbox {
  /** `http://localhost:3001` */
  readonly url: string;
  readonly world: World;
  /** Stops listening, gives up call-backs that are on their way, and stops what is not HTTP. */
  close(): Promise<void>;
}

const BODY_MAX = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** Addresses of some chains are longer than the hundred characters that are usual. */
const PARAM_MAX = 200;

/**
 * Starts the simulated providers and their controls on one listener. It asks for no credentials and
 * moves the service's clock, so production must never start it.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { simulators, log, host, port } = options;
  const server = createServer(log);
  refuseForeign(server, host);
  acceptUpgrades(server, simulators, isForeign(host));
  const faults = createFaults();
  const callbacks = createCallbacks({ faults, log });
  let url = '';
  const world: World = {
    records: createRecords(options.db),
    faults,
    callbacks,
    clock: options.clock,
    serviceUrl: options.serviceUrl,
    sandboxUrl: () => url,
  };
  const controls = collectControls(server);
  const providers = simulators.map(({ provider }) => provider);
  faultControls(server, faults, providers);
  statementControls(server, world, providers);
  clockControls(server, options);
  servePage(server, world, { id: options.id ?? '', simulators, controls });
  for (const simulator of simulators) {
    simulator.controls?.(server, world);
    if (simulator.wire) await mountWire(server, simulator, world);
  }
  const stops: (() => Promise<void>)[] = [];
  const close = async () => {
    await callbacks.close();
    await server.close();
    await Promise.all(stops.map((stop) => stop()));
  };
  try {
    await server.listen({ host, port });
    url = addressOf(server, host);
    if (isExposed(host))
      log.warn({ host }, 'the sandbox is open to other machines: it hands out codes and passwords');
    for (const { start } of simulators) if (start) stops.push(await start(world));
  } catch (error) {
    await close();
    throw error;
  }
  return { url, world, close };
}

function createServer(log: Logger): FastifyInstance {
  const server = Fastify({
    loggerInstance: log.child({ part: 'sandbox' }) as FastifyBaseLogger,
    // Providers' own bodies may hold what must not be in a log; the controls need none.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX,
    // Some providers' own libraries end their paths with a slash.
    routerOptions: { maxParamLength: PARAM_MAX, ignoreTrailingSlash: true },
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    schemaErrorFormatter: (errors) =>
      Object.assign(new Error(errors.map(described).join('; ')), { code: 'VALIDATION_ERROR' }),
  });
  server.setValidatorCompiler(requestCompiler());
  server.setErrorHandler<FastifyError>((error, _request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) server.log.error({ err: error.name, code: error.code }, 'Sandbox failed');
    const message = status < 500 ? error.message : 'The sandbox failed';
    return reply.code(status).send({ error: message, code: error.code ?? 'ERROR' });
  });
  server.setNotFoundHandler(nothingHere);
  keepRawBodies(server);
  server.addHook('preValidation', async ({ body, params, query }) => {
    if (storable([body ?? null, params ?? null, query ?? null])) return;
    throw Object.assign(new Error('Text must be whole Unicode without NUL, not nested deeply'), {
      statusCode: 400,
      code: 'VALIDATION_ERROR',
    });
  });
  return server;
}

/** A page for people: they come by links and slips of the pen. The query may hold a secret. */
function nothingHere({ method, url, headers }: FastifyRequest, reply: FastifyReply) {
  const error = `There is no ${method} ${url.split('?')[0]}`;
  if (!headers.accept?.includes('text/html'))
    return reply.code(404).send({ error, code: 'NOT_FOUND' });
  return showPage(
    reply,
    404,
    'There is no such page',
    `
<h1>There is no such page</h1>
<p>${escapeHtml(error)}.</p>
<p><a href="/">The sandbox</a></p>`,
  );
}

function described(error: ErrorObject): string {
  const lacking = error.params['missingProperty'] ?? '';
  const field = [...error.instancePath.split('/').slice(1), lacking].filter(Boolean).join('.');
  return `${field || 'body'} ${complaint(error)}`;
}

/** Routes registered on `server` itself, as `POST /faults`; the list fills as they come. */
function collectControls(server: FastifyInstance): string[] {
  const controls: string[] = [];
  server.addHook('onRoute', ({ method, url, prefix }) => {
    const methods = [method].flat().filter((name) => name !== 'HEAD' && name !== 'OPTIONS');
    if (prefix === '') controls.push(...methods.map((name) => `${name} ${url}`));
  });
  return controls;
}

async function mountWire(server: FastifyInstance, simulator: Simulator, world: World) {
  const wire = (own: FastifyInstance) => {
    misbehave(own, simulator, world);
    simulator.wire?.(own, world);
  };
  await scope(server, simulator.provider, wire, simulator.prefix);
}

function addressOf(server: FastifyInstance, host: string): string {
  const { port } = server.server.address() as AddressInfo;
  const isHere = !isExposed(host) || host === '0.0.0.0' || host === '::';
  return `http://${isHere ? 'localhost' : host}:${port}`;
}
