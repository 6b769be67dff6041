import { join } from 'node:path';
import { median, pairedRatio } from './meter.ts';
import type { Place } from './place.ts';
import { atMost, type BenchRow } from './row.ts';
import { startService } from './service-process.ts';

/** Chains that are somewhere else, so that starting nodes is not part of the measurement. */
export const NO_NODES = Object.fromEntries(
  ['SEPOLIA', 'AMOY', 'NEON'].map((chain) => [`EVM_${chain}_RPC_URL`, 'http://127.0.0.1:9']),
);

/** The real service from its TypeScript sources until it answers. */
export async function runStartBench({ url, dir }: Place, rounds: number): Promise<BenchRow[]> {
  const home = { DATA_DIR: join(dir, 'home'), NODE_COMPILE_CACHE: join(dir, 'compile-cache') };
  const first = await startOnce(home);
  const second = await startOnce(home);
  const shared = { ...NO_NODES, DATABASE_URL: url, DATA_DIR: join(dir, 'shared') };
  const cached = { ...shared, NODE_COMPILE_CACHE: home.NODE_COMPILE_CACHE };
  const bare = { ...shared, NODE_DISABLE_COMPILE_CACHE: '1' };
  await startOnce(cached);
  const starts: Record<'cached' | 'bare', Awaited<ReturnType<typeof startOnce>>[]> = {
    cached: [],
    bare: [],
  };
  for (let round = 0; round < rounds; round += 1) {
    const order = (['cached', 'bare'] as const).toSorted(() => (round % 2 === 0 ? 0 : -1));
    for (const which of order)
      starts[which].push(await startOnce(which === 'cached' ? cached : bare));
  }
  const of = (which: 'cached' | 'bare', what: 'seconds' | 'cpuMs') =>
    starts[which].map((started) => started[what]);
  const typical = (which: 'cached' | 'bare') =>
    `${median(of(which, 'seconds')).toFixed(2)} s, ${Math.round(median(of(which, 'cpuMs')))} ms CPU`;
  return [
    atMost({
      ...{ bar: 'S1', what: 'start with the compile cache, CPU of one without', limit: 0.65 },
      measured: pairedRatio(of('cached', 'cpuMs'), of('bare', 'cpuMs')),
      note: `${typical('cached')} against ${typical('bare')}`,
    }),
    atMost({
      ...{ bar: 'S2', what: 'first start, which makes database, secrets and demo data' },
      ...{ measured: first.seconds, unit: 's', limit: 10 },
    }),
    atMost({
      ...{ bar: 'S2', what: 'second start, with database and nodes' },
      ...{ measured: second.seconds, unit: 's', limit: 3 },
    }),
  ];
}

async function startOnce(env: Readonly<Record<string, string>>) {
  const { seconds, cpuMs, stop } = await startService(env);
  await stop();
  return { seconds, cpuMs };
}
