import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Cardano } from '#chains/cardano/port.ts';
import { adoptChains } from '#chains/evm/adopt-chains.ts';
import type { ManagedNetwork } from '#chains/evm/network.ts';
import { openXrpl } from '#chains/xrpl/configure.ts';
import type { ManagedXrpl } from '#chains/xrpl/network.ts';
import { endAll } from '#kernel/ending.ts';
import { catalogueOf } from '#kernel/events/catalogue.ts';
import type { Feature } from '#kernel/feature.ts';
import { CONNECTIONS_MAX } from '#kernel/http/connections.ts';
import { mountDocs } from '#kernel/http/docs.ts';
import { mount } from '#kernel/http/mount.ts';
import { describeApi } from '#kernel/http/openapi.ts';
import { mountPages } from '#kernel/http/pages.ts';
import type { Route } from '#kernel/http/route.ts';
import { API_PREFIX, createServer, type ServerOptions } from '#kernel/http/server.ts';
import { createKernel, type Kernel, type KernelOptions } from '#kernel/kernel.ts';
import { adoptAssets } from '#kernel/ledger/adopt-assets.ts';
import type { Sandbox } from '#sandbox/host.ts';
import { usesSandbox } from '#src/config.ts';
import { createCardanoChain, createChains } from './chains.ts';
import { createFeatures, type Features } from './features.ts';
import { mountHealth } from './health.ts';
import { openSandbox } from './open-sandbox.ts';
import { createProviders, type Providers } from './providers.ts';
import { measureService } from './service-metrics.ts';
import { followClock, saveClock } from './service-state.ts';
import { createSimulators } from './simulators.ts';

export interface App {
  readonly kernel: Kernel;
  readonly evm: ManagedNetwork;
  readonly cardano: Cardano;
  readonly xrpl: ManagedXrpl;
  readonly features: Features;
  readonly providers: Providers;
  readonly server: FastifyInstance;
  /** `http://localhost:3000/api` once started. */
  apiUrl(): string;
  sandboxUrl(): string;
  /** Listens, starts the sandbox and the jobs, as the process's role says. */
  start(): Promise<void>;
  /** Moves the service's clock and what waits for it; the sandbox and tests call it. */
  advance(seconds: number): Promise<void>;
  /** Takes no more, ends what runs, and lets go of everything, in 14 seconds at the most. */
  close(): Promise<void>;
}

/** Features beside the product's own, for tests of what one more would cost. */
export type MoreFeatures = (kernel: Kernel) => readonly Feature[];

/** The composition root: everything is created and joined here, in order. */
export async function createApp(options: KernelOptions, more?: MoreFeatures): Promise<App> {
  const { config } = options;
  let sandbox: Sandbox | undefined;
  let watched: FastifyInstance | undefined;
  let following: { close(): Promise<void> } | undefined;
  const kernel = await createKernel({
    ...options,
    publicUrl: () => config.PUBLIC_URL?.replace(/\/+$/, '') ?? baseOf(server, config.PORT),
  });
  await adoptRows(kernel);
  const sandboxUrl = () => sandbox?.url ?? `http://localhost:${config.SANDBOX_PORT}`;
  const evm = createChains(kernel, options.secrets.EVM_MNEMONIC);
  const cardano = createCardanoChain(kernel, options.secrets.EVM_MNEMONIC, sandboxUrl);
  const xrpl = openXrpl(kernel, { mnemonic: options.secrets.EVM_MNEMONIC, sandboxUrl });
  const chains = { evm, cardano, xrpl };
  const simulators = createSimulators(config, kernel.db, chains);
  const places = { url: sandboxUrl, smtpUrl: simulators.smtpUrl };
  const providers = createProviders(kernel, places, chains);
  const features = createFeatures(kernel, providers, more?.(kernel));
  const server = await createApi(kernel, features);
  kernel.jobs.register(features.jobs, features.schedules);
  kernel.effects.register(features.effects);
  kernel.inboxes.register(features.inboxes);
  kernel.sagas.register(features.machines);
  measureService(kernel);
  const apiUrl = () => `${kernel.publicUrl()}${API_PREFIX}`;

  return {
    kernel,
    evm,
    cardano,
    xrpl,
    features,
    providers,
    server,
    apiUrl,
    sandboxUrl,
    advance,
    async start() {
      const serves = config.ROLE !== 'worker';
      if (usesSandbox(config))
        following = await followClock(kernel.db, options.databaseUrl, kernel.clock);
      if (serves && usesSandbox(config)) sandbox = await hostSandbox();
      await beginWork(kernel);
      // Last, so that every answer comes from a complete service.
      if (serves) await server.listen({ host: config.HOST, port: config.PORT });
      else if (config.WORKER_PORT !== undefined) watched = await serveHealth(kernel);
    },
    close() {
      kernel.events.rest();
      const intake = () => Promise.all([server.close(), watched?.close(), kernel.jobs.rest()]);
      return endAll(
        [
          { what: 'requests and jobs', ms: 8000, end: intake },
          { what: 'the queue of jobs', ms: 500, end: () => kernel.jobs.stop() },
          { what: 'the sandbox', ms: 1000, end: () => sandbox?.close() },
          { what: 'the clock', ms: 500, end: () => following?.close() },
          { what: 'the chains', ms: 3500, end: () => Promise.all([evm.stop(), xrpl.stop()]) },
          { what: 'the kernel', ms: 500, end: () => kernel.close() },
        ],
        kernel.log,
      );
    },
  };

  async function advance(seconds: number): Promise<void> {
    kernel.clock.advance(seconds * 1000);
    await saveClock(kernel.db, kernel.clock);
    await kernel.jobs.advance(seconds * 1000);
  }

  function hostSandbox(): Promise<Sandbox | undefined> {
    return openSandbox({
      db: kernel.db,
      clock: kernel.clock,
      log: kernel.log,
      host: config.SANDBOX_HOST,
      port: config.SANDBOX_PORT,
      simulators: simulators.all,
      serviceUrl: apiUrl,
      advance,
    });
  }
}

/** The assets and chains that there are, before anything is made of them. */
async function adoptRows(kernel: Kernel): Promise<void> {
  try {
    await adoptAssets(kernel.db);
    await adoptChains(kernel.db);
  } catch (error) {
    await kernel.close();
    throw error;
  }
}

/** What a process does by itself. */
async function beginWork({ config, sagas, events, jobs }: Kernel): Promise<void> {
  await sagas.check();
  events.start();
  if (config.ROLE === 'api') await jobs.open();
  else await jobs.start();
}

/** Everything that is answered by HTTP. */
async function createApi(kernel: Kernel, features: Features): Promise<FastifyInstance> {
  const server = await createServer(serverOptions(kernel, features.routes));
  await server.register(async (api) => mount(api, features.routes, kernel), { prefix: API_PREFIX });
  mountPages(server, features.pages);
  mountHealth(server, kernel);
  await mountDocs(server, describeApi(features.routes, catalogueOf(features.events)));
  return server;
}

/** A worker has nothing to answer but how it is. */
async function serveHealth(kernel: Kernel): Promise<FastifyInstance> {
  const { HOST: host, WORKER_PORT: port = 0 } = kernel.config;
  const server = await createServer(serverOptions(kernel, []));
  mountHealth(server, kernel);
  await server.listen({ host, port });
  return server;
}

const serverOptions = (
  { log, clock, metrics, limits, config }: Kernel,
  routes: readonly Route[],
): ServerOptions => ({
  log,
  clock,
  metrics,
  limits,
  corsOrigins: config.CORS_ORIGINS,
  trustProxy: config.TRUST_PROXY,
  connectionsMax: config.RATE_LIMITS === 'on' ? CONNECTIONS_MAX : undefined,
  routes,
});

function baseOf(server: FastifyInstance, configured: number): string {
  const address = server.server.address() as AddressInfo | null;
  return `http://localhost:${address?.port ?? configured}`;
}
