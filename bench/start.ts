import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { residentOf } from './memory.ts';
import { median, pairedRatio } from './meter.ts';
import type { Place } from './place.ts';
import { atMost, type BenchRow } from './row.ts';
import { startService } from './service-process.ts';

/** Chains that are somewhere else, so that starting nodes is not part of the measurement. */
export const NO_NODES = Object.fromEntries(
  ['SEPOLIA', 'AMOY', 'NEON'].map((chain) => [`EVM_${chain}_RPC_URL`, 'http://127.0.0.1:9']),
);

interface Start {
  readonly seconds: number;
  readonly cpuMs: number;
}
type Starting = () => Promise<Start>;

/** After that the collector has returned the memory of loading. */
const REST_MS = 15_000;

/**
 * The real service until it answers, from its bundle and from its sources, each beside an empty Node: their
 * absolute times depend more on the machine and its other users than on us.
 */
export async function runStartBench({ url, dir }: Place, rounds: number): Promise<BenchRow[]> {
  const cache = { NODE_COMPILE_CACHE: join(dir, 'compile-cache') };
  const home = { ...cache, DATA_DIR: join(dir, 'home') };
  const shared = { ...cache, ...NO_NODES, DATABASE_URL: url, DATA_DIR: join(dir, 'shared') };
  const starting = (env: Readonly<Record<string, string>>, entry?: string): Starting => {
    return () => startOnce(env, entry);
  };
  const first = await beside(startingFresh(dir), rounds);
  await starting(home)();
  const second = await beside(starting(home), rounds);
  const [bundle, sources] = [starting(shared), starting(shared, 'src/main.ts')];
  for (const warm of [bundle, sources]) await warm();
  const kinds = await inTurns(rounds, bundle, sources);
  const rest = await atRest(shared);
  return [
    atMost({
      bar: 'S1',
      what: 'a start from the bundle, CPU of one from the sources',
      measured: ratioOf(kinds, 'cpuMs'),
      limit: 0.7,
      note: noteOf(kinds),
    }),
    atMost({
      bar: 'S2',
      what: 'first start, which makes database, secrets and demo data, of an empty Node',
      measured: ratioOf(first, 'seconds'),
      limit: 100,
      note: noteOf(first),
    }),
    atMost({
      bar: 'S2',
      what: 'second start, with database and nodes, of an empty Node',
      measured: ratioOf(second, 'seconds'),
      limit: 30,
      note: noteOf(second),
    }),
    atMost({
      bar: 'S3',
      what: 'memory of the service at rest, of an empty Node',
      measured: rest.resident / rest.empty,
      limit: 4,
      note: `${Math.round(rest.resident)} MB against ${Math.round(rest.empty)} MB, with what others share`,
    }),
    atMost({
      bar: 'S3',
      what: 'resident memory of the service at rest',
      measured: rest.resident,
      unit: 'MB',
      limit: 150,
      note: 'pages that others share included; depends on no neighbour',
    }),
  ];
}

/** Each time without remains of an earlier start. */
function startingFresh(dir: string): Starting {
  let homes = 0;
  return () => {
    const home = join(dir, `fresh-${homes++}`);
    return startOnce({ NODE_COMPILE_CACHE: join(home, 'compiled'), DATA_DIR: join(home, 'data') });
  };
}

interface Turns {
  readonly ours: readonly Start[];
  readonly theirs: readonly Start[];
}

const beside = (starting: Starting, rounds: number): Promise<Turns> =>
  inTurns(rounds, starting, emptyOnce);

async function inTurns(rounds: number, a: Starting, b: Starting): Promise<Turns> {
  const ours: Start[] = [];
  const theirs: Start[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) ours.push(await a());
    theirs.push(await b());
    if (round % 2 === 1) ours.push(await a());
  }
  return { ours, theirs };
}

const figures = (starts: readonly Start[], what: keyof Start) => starts.map((one) => one[what]);

const ratioOf = ({ ours, theirs }: Turns, what: keyof Start): number =>
  pairedRatio(figures(ours, what), figures(theirs, what));

function noteOf({ ours, theirs }: Turns): string {
  const typical = (starts: readonly Start[]) =>
    `${median(figures(starts, 'seconds')).toFixed(2)} s, ${Math.round(median(figures(starts, 'cpuMs')))} ms CPU`;
  return `${typical(ours)} against ${typical(theirs)}`;
}

async function startOnce(env: Readonly<Record<string, string>>, entry?: string): Promise<Start> {
  const { seconds, cpuMs, stop } = await startService(env, entry);
  await stop();
  return { seconds, cpuMs };
}

const EMPTY = `const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)`;

async function emptyOnce(): Promise<Start> {
  const start = performance.now();
  const node = spawn(process.execPath, ['-e', EMPTY], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [cpuMs] = await Promise.all([text(node.stdout), once(node, 'close')]);
  return { seconds: (performance.now() - start) / 1000, cpuMs: Number(cpuMs) };
}

/** An idle service, and a Node that only waits; both counted with all shared pages. */
async function atRest(env: Readonly<Record<string, string>>) {
  const node = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
  const service = await startService(env);
  await pause(REST_MS);
  const idle = {
    empty: residentOf(node.pid ?? 0),
    resident: residentOf(service.pid),
  };
  node.kill();
  await service.stop();
  return idle;
}
