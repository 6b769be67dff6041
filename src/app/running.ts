import type { FastifyInstance } from 'fastify';
import type { OpenFamily } from '#chains/family.ts';
import { type Config, usesSandbox } from '#kernel/config/config.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { runShutdown } from '#kernel/shutdown.ts';
import { healthServer } from '#src/app/api.ts';
import type { Features } from '#src/app/features/features.ts';
import type { Providers } from '#src/app/providers.ts';
import type { RunningSandbox, SandboxHost } from '#src/app/sandbox-door.ts';
import { portError } from './ports.ts';
import { followClock, saveClock } from './service-state.ts';

/** What a start adds to a composed application; empty before it. */
export interface Running {
  sandbox?: RunningSandbox | undefined;
  /** A worker's server for probes. */
  probes?: FastifyInstance;
  /** That of OPS_PORT, where it is set. */
  ops?: FastifyInstance;
  /** The subscription to the clock of the other processes. */
  clock?: { close(): Promise<void> };
}

export interface AppParts {
  readonly kernel: Kernel;
  readonly features: Features;
  readonly families: readonly OpenFamily[];
  /** Nothing in production. */
  readonly sandbox: SandboxHost | undefined;
  readonly providers: Pick<Providers, 'pages'>;
  readonly server: FastifyInstance;
  readonly running: Running;
}

/** Listens, starts the sandbox and the jobs, as the process's role says. */
export async function startParts(parts: AppParts): Promise<void> {
  const { kernel, features, server, running } = parts;
  const { config } = kernel;
  const serves = config.ROLE !== 'worker';
  const sandboxed = usesSandbox(config);
  await allEnded([
    kernel.sagas.check(),
    sandboxed && followOthersClock(parts),
    sandboxed && serves && openHere(parts),
    serves && server.ready(),
  ]);
  kernel.events.start();
  // What they do may call the sandbox, so not before it is there.
  if (config.ROLE !== 'api')
    await Promise.all([kernel.jobs.start(), ...features.runners.map((one) => one.start())]);
  // Last, so that every answer comes from a complete service.
  if (serves) await listen(server, config, 'PORT');
  else if (config.WORKER_PORT !== undefined)
    running.probes = await listen(await healthServer(kernel), config, 'WORKER_PORT');
  if (config.OPS_PORT !== undefined)
    running.ops = await listen(await healthServer(kernel), config, 'OPS_PORT');
}

async function listen(
  server: FastifyInstance,
  config: Config,
  setting: 'PORT' | 'WORKER_PORT' | 'OPS_PORT',
): Promise<FastifyInstance> {
  try {
    await server.listen({ host: config.HOST, port: config[setting] ?? 0 });
    return server;
  } catch (error) {
    throw portError(setting, config, error);
  }
}

/** Side by side; what could be started is known before the reason why something could not. */
async function allEnded(beginnings: readonly unknown[]): Promise<void> {
  for (const ended of await Promise.allSettled(beginnings))
    if (ended.status === 'rejected') throw ended.reason;
}

async function followOthersClock({ kernel, running }: AppParts): Promise<void> {
  running.clock = await followClock(kernel.db, kernel.presence, kernel.clock);
}

async function openHere(parts: AppParts): Promise<void> {
  parts.running.sandbox = await hostSandbox(parts);
}

/** Ends what runs and releases everything, in order, in 14 seconds at the most. */
export function closeParts(parts: AppParts): Promise<void> {
  const { kernel, features, families, providers, server, running } = parts;
  // Streams would never end by themselves.
  kernel.events.rest();
  const runners = () => Promise.all(features.runners.map((one) => one.pause()));
  const intake = () =>
    Promise.all([
      ...[server, running.probes, running.ops].map((one) => one?.close()),
      kernel.jobs.pause(),
      runners(),
    ]);
  const flush = () =>
    Promise.all([kernel.policies.flush(), ...features.flushes.map((write) => write())]);
  return runShutdown(
    [
      { what: 'requests and jobs', ms: 7500, end: intake },
      { what: 'rows of batches', ms: 500, end: flush },
      { what: 'the queue of jobs', ms: 500, end: () => kernel.jobs.stop() },
      { what: 'the sandbox', ms: 1000, end: () => running.sandbox?.close() },
      { what: 'the pages of shops', ms: 500, end: () => providers.pages.close() },
      { what: 'the clock', ms: 500, end: () => running.clock?.close() },
      { what: 'the chains', ms: 3500, end: () => Promise.all(families.map((one) => one.stop())) },
      { what: 'the kernel', ms: 500, end: () => kernel.close() },
    ],
    kernel.log,
  );
}

/** Moves the service's clock and what waits for it, in this process and, by its notification, in the others. */
export async function advanceClock(kernel: Kernel, seconds: number): Promise<void> {
  kernel.clock.advance(seconds * 1000);
  await saveClock(kernel.db, kernel.clock);
  await kernel.jobs.advance(seconds * 1000);
}

export const apiUrlOf = (kernel: Kernel): string => `${kernel.publicUrl()}${API_PREFIX}`;

async function hostSandbox({ kernel, sandbox }: AppParts): Promise<RunningSandbox | undefined> {
  const { config, db, clock, log } = kernel;
  return sandbox?.open({
    db,
    clock,
    log,
    host: config.SANDBOX_HOST,
    port: config.SANDBOX_PORT,
    serviceUrl: () => apiUrlOf(kernel),
    advance: (seconds) => advanceClock(kernel, seconds),
  });
}
