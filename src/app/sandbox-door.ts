import type { Clock } from '#kernel/clock.ts';
import { type Config, usesSandbox } from '#kernel/config/config.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Logger } from '#kernel/log.ts';
import type { BankHost } from '#providers/bank-host/port.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import type { Chains, SandboxChains } from './chains.ts';

/**
 * All that the service takes from the sandbox, which is not part of the product: it lies outside of `src`, is loaded
 * outside of production only, and no production image contains it.
 */
export interface SandboxDoor {
  /** Nodes and ledgers of our own for chains that no address is configured for. */
  readonly chains: SandboxChains;
  /** Providers of mock mode, which settle by themselves. */
  mockMode(setup: MockSetup): MockProviders;
  /** The simulated providers; none listens before `open`. */
  host(config: Config, db: Db, chains: Chains): SandboxHost;
}

export interface MockSetup {
  readonly kernel: Pick<Kernel, 'config' | 'clock' | 'db'>;
  sandboxUrl(): string;
}

export interface MockProviders {
  readonly gateway: Gateway;
  readonly bankHost: BankHost;
}

export interface SandboxHost {
  /** Where the simulated mail server is. */
  smtpUrl(): string;
  /** Starts to listen. Nothing when another process of this service does so already. */
  open(options: SandboxStart): Promise<RunningSandbox | undefined>;
}

export interface SandboxStart {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** The service's base address, `http://localhost:3000/api`; read at each call-back. */
  serviceUrl(): string;
  /** Moves the service's time forward by whole seconds and runs what thereby falls due. */
  advance(seconds: number): Promise<void>;
}

export interface RunningSandbox {
  /** `http://localhost:3001` */
  readonly url: string;
  close(): Promise<void>;
}

/** The sandbox; nothing in production, where its files need not exist. */
export async function loadSandbox(config: Config): Promise<SandboxDoor | undefined> {
  if (!usesSandbox(config)) return undefined;
  const { sandboxDoor } = await import('#sandbox/door.ts');
  return sandboxDoor;
}
