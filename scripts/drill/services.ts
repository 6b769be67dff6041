import { join } from 'node:path';
import type { Places } from './cluster-files.ts';
import { type Processes, type Running, until } from './processes.ts';

export interface Services {
  /** The addresses of the two `api` processes. */
  readonly apis: readonly string[];
  readonly all: readonly Running[];
}

export interface ServicesOptions {
  readonly folder: string;
  readonly processes: Processes;
  readonly places: Places;
  /** Of the database. */
  readonly url: string;
  /** Whether cards are charged at the simulated card network, or in mock mode. */
  readonly live: boolean;
}

/** Two `api` and one `worker`, against the simulated card network, on the cluster and Redis. */
export async function startServices({
  folder,
  processes,
  places,
  url,
  live,
}: ServicesOptions): Promise<Services> {
  // The drill needs no chain, and calls to one are answered as unreachable.
  const nowhere = 'http://127.0.0.1:9';
  const shared = {
    DATABASE_URL: url,
    REDIS_URL: `redis://127.0.0.1:${places.redis}`,
    DATA_DIR: join(folder, 'service'),
    MOCK_MODE: String(!live),
    SANDBOX_PORT: String(places.sandbox),
    SANDBOX_SMTP_PORT: String(places.mail),
    EVM_SEPOLIA_RPC_URL: nowhere,
    EVM_AMOY_RPC_URL: nowhere,
    EVM_NEON_RPC_URL: nowhere,
    LOG_LEVEL: 'info',
  };
  const all: Running[] = [];
  const start = async (name: string, env: Readonly<Record<string, string>>) => {
    const args = ['src/main.ts'];
    const one = processes.start({
      name,
      program: process.execPath,
      args,
      env: { ...shared, ...env },
    });
    all.push(one);
    await until(`${name} is ready`, () => {
      if (!one.alive()) throw new Error(one.said());
      return one.said().includes('is ready (');
    });
  };
  // The first creates the schema and the secrets, and hosts the simulators.
  for (const [i, port] of places.apis.entries())
    await start(`api${i + 1}`, { ROLE: 'api', PORT: String(port) });
  await start('worker', { ROLE: 'worker' });
  return { apis: places.apis.map((port) => `http://127.0.0.1:${port}/api`), all };
}
