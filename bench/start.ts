import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { median, pairedRatio } from './meter.ts';
import type { Place } from './place.ts';
import { atMost, type BenchRow } from './row.ts';
import { startService } from './service-process.ts';

/** Chains that are somewhere else, so that starting nodes is not part of the measurement. */
export const NO_NODES = Object.fromEntries(
  ['SEPOLIA', 'AMOY', 'NEON'].map((chain) => [`EVM_${chain}_RPC_URL`, 'http://127.0.0.1:9']),
);

/**
 * The real sources until they are loaded, and the real service until it answers. Another runner of
 * TypeScript is no dependency of ours: Node's own type stripping without a cache stands for them.
 */
export async function runStartBench({ url, dir }: Place, rounds: number): Promise<BenchRow[]> {
  const home = { DATA_DIR: join(dir, 'home'), NODE_COMPILE_CACHE: join(dir, 'compile-cache') };
  const first = await startOnce(home);
  const second = await startOnce(home);
  const shared = { ...NO_NODES, DATABASE_URL: url, DATA_DIR: join(dir, 'shared') };
  const cached = { ...shared, NODE_COMPILE_CACHE: home.NODE_COMPILE_CACHE };
  const bare = { ...shared, NODE_DISABLE_COMPILE_CACHE: '1' };
  await startOnce(cached);
  await load(cached);
  const loads = await inTurns(
    rounds,
    () => load(cached),
    () => load(bare),
  );
  const starts = await inTurns(
    rounds,
    () => startOnce(cached),
    () => startOnce(bare),
  );
  return [
    atMost({
      ...{ bar: 'S1', what: 'loading the sources with the compile cache, CPU of without' },
      ...{ measured: loads.ratio, limit: 0.65, note: loads.note },
    }),
    atMost({
      ...{ bar: 'S1', what: 'the whole start with the compile cache, CPU of one without' },
      ...{ measured: starts.ratio, limit: 0.9, note: starts.note },
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

interface Start {
  readonly seconds: number;
  readonly cpuMs: number;
}

async function inTurns(rounds: number, a: () => Promise<Start>, b: () => Promise<Start>) {
  const cached: Start[] = [];
  const bare: Start[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) cached.push(await a());
    bare.push(await b());
    if (round % 2 === 1) cached.push(await a());
  }
  const of = (starts: readonly Start[], what: keyof Start) => starts.map((start) => start[what]);
  const typical = (starts: readonly Start[]) =>
    `${median(of(starts, 'seconds')).toFixed(2)} s, ${Math.round(median(of(starts, 'cpuMs')))} ms CPU`;
  return {
    ratio: pairedRatio(of(cached, 'cpuMs'), of(bare, 'cpuMs')),
    note: `${typical(cached)} against ${typical(bare)}`,
  };
}

/** Everything that the service imports, by a process that does nothing with it. */
async function load(env: Readonly<Record<string, string>>): Promise<Start> {
  const sources = pathToFileURL(join(import.meta.dirname, '../src/app/service.ts')).href;
  const code = `await import(${JSON.stringify(sources)});
    const { user, system } = process.cpuUsage();
    console.log((user + system) / 1000);
    process.exit();`;
  const start = performance.now();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', code],
    { env: { ...process.env, ...env } },
  );
  return { seconds: (performance.now() - start) / 1000, cpuMs: Number(stdout) };
}

async function startOnce(env: Readonly<Record<string, string>>): Promise<Start> {
  const { seconds, cpuMs, stop } = await startService(env);
  await stop();
  return { seconds, cpuMs };
}
