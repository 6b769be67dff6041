import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { adoptChains } from '#chains/evm/adopt-chains.ts';
import type { OpenFamily } from '#chains/family.ts';
import { countEmitted } from '#kernel/events/emit.ts';
import type { Feature } from '#kernel/feature.ts';
import { createKernel, type Kernel, type KernelOptions } from '#kernel/kernel.ts';
import { adoptAssets } from '#kernel/ledger/adopt-assets.ts';
import { createApi } from './api.ts';
import { type Chains, chainsOf, openChains } from './chains.ts';
import { createFeatures, type Features } from './features/features.ts';
import { measureChains } from './operate/chain-metrics.ts';
import { countPayments } from './operate/payment-metrics.ts';
import { measureService } from './operate/service-metrics.ts';
import { measureWallets } from './operate/wallet-metrics.ts';
import { createProviders, type Providers, providerContracts } from './providers.ts';
import { advanceClock, apiUrlOf, closeParts, type Running, startParts } from './running.ts';
import { loadSandbox } from './sandbox-door.ts';

export interface App extends Chains {
  readonly kernel: Kernel;
  readonly features: Features;
  readonly providers: Providers;
  readonly server: FastifyInstance;
  /** `http://localhost:3000/api` once started. */
  apiUrl(): string;
  sandboxUrl(): string;
  /** Where health and metrics are: a port of their own with OPS_PORT. */
  opsUrl(): string;
  /** Listens, starts the sandbox and the jobs, as the process's role says. */
  start(): Promise<void>;
  /** Starts chain nodes of our own in the background: neither start nor first request waits for them. */
  warm(): void;
  /** Moves the service's clock and what waits for it; the sandbox and tests call it. */
  advance(seconds: number): Promise<void>;
  /** Takes no more, ends what runs, and releases everything, in 14 seconds at the most. */
  close(): Promise<void>;
}

/** Features beside the product's own, for tests of what one more would cost. */
export type MoreFeatures = (kernel: Kernel) => readonly Feature[];

/** The composition root: everything is created and joined here, in order. */
export async function createApp(options: KernelOptions, more?: MoreFeatures): Promise<App> {
  const { config } = options;
  const running: Running = {};
  const kernel = await createKernel({
    ...options,
    publicUrl: () => config.PUBLIC_URL?.replace(/\/+$/, '') ?? baseOf(server, config.PORT),
  });
  const door = await loadSandbox(config);
  await adoptRows(kernel);
  const sandboxUrl = () => running.sandbox?.url ?? `http://localhost:${config.SANDBOX_PORT}`;
  const chains = openChains(kernel, options.secrets.EVM_MNEMONIC, {
    url: sandboxUrl,
    sandbox: door?.chains,
    otherContracts: providerContracts(config),
  });
  const sandbox = door?.host(config, kernel.db, chains);
  const smtpUrl = () => sandbox?.smtpUrl() ?? '';
  const places = { url: sandboxUrl, smtpUrl, mockMode: door?.mockMode };
  const providers = createProviders(kernel, places, chains);
  const features = createFeatures(kernel, providers, more?.(kernel));
  const server = await createApi(kernel, features, sandboxUrl);
  registerWork(kernel, features);
  measureService(kernel);
  countEmitted(kernel.db, countPayments(kernel.metrics, features.payments));
  const families: OpenFamily[] = Object.values(chains);
  const members = chainsOf(chains);
  measureChains(kernel, members);
  measureWallets(kernel.metrics, members);
  const parts = { kernel, features, families, sandbox, providers, server, running };
  return {
    kernel,
    ...chains,
    features,
    providers,
    server,
    apiUrl: () => apiUrlOf(kernel),
    sandboxUrl,
    opsUrl: () => (running.ops ? baseOf(running.ops, 0) : kernel.publicUrl()),
    start: () => startParts(parts),
    warm: () => {
      for (const family of families) family.warm?.();
    },
    advance: (seconds) => advanceClock(kernel, seconds),
    close: () => closeParts(parts),
  };
}

/** What the features do when no request asks for it. */
function registerWork(kernel: Kernel, features: Features): void {
  kernel.jobs.register(features.jobs, features.schedules);
  kernel.effects.register(features.effects);
  kernel.inboxes.register(features.inboxes);
  kernel.sagas.register(features.machines);
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

function baseOf(server: FastifyInstance, configured: number): string {
  const address = server.server.address() as AddressInfo | null;
  return `http://localhost:${address?.port ?? configured}`;
}
