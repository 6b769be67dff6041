import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

/** One way of doing the work, driven from this process. */
export interface Variant {
  readonly name: string;
  readonly inFlight: number;
  /** Does it once and answers the number of units. */
  once(): Promise<number>;
}

/** One burst: units per second, CPU microseconds per unit in Node and in the server, median wait. */
export interface Burst {
  readonly rate: number;
  readonly nodeUs: number;
  readonly serverUs: number;
  readonly p50Ms: number;
}

export type Bursts<Name extends string = string> = ReadonlyMap<Name, readonly Burst[]>;

export interface Meter {
  burst(variant: Variant, ms: number): Promise<Burst>;
  /** The CPU of some processes and the database server while `work` does that many units. */
  watch(pids: readonly (number | 'self')[], work: () => Promise<Work>): Promise<Burst>;
}

export interface Work {
  readonly units: number;
  readonly seconds: number;
  readonly p50Ms: number;
}

/**
 * Measures CPU besides the clock: on a shared machine the clock of one burst may double from one to
 * the next, CPU per unit and the ratio of neighbouring bursts hold (Linux only; NaN elsewhere).
 */
export async function createMeter(pool?: pg.Pool): Promise<Meter> {
  const postmaster = pool && (await postmasterOf(pool));
  const server = () => (postmaster === undefined ? 0 : serverNs(postmaster));
  const watch: Meter['watch'] = async (pids, work) => {
    const nodes = () => pids.reduce<number>((sum, pid) => sum + threadsNs(String(pid)), 0);
    // Reading all processes comes first, since it costs this process CPU.
    const serverBefore = server();
    const nodeBefore = nodes();
    const { units, seconds, p50Ms } = await work();
    return {
      rate: units / seconds,
      nodeUs: (nodes() - nodeBefore) / 1000 / units,
      serverUs: (server() - serverBefore) / 1000 / units,
      p50Ms,
    };
  };
  return { watch, burst: (variant, ms) => watch(['self'], () => drive(variant, ms)) };
}

async function drive({ once, inFlight }: Variant, ms: number): Promise<Work> {
  const waits: number[] = [];
  let units = 0;
  const start = performance.now();
  const lane = async () => {
    for (let at = performance.now(); at - start < ms; ) {
      const done = await once();
      units += done;
      const then = performance.now();
      waits.push(then - at);
      at = then;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return { units, seconds: (performance.now() - start) / 1000, p50Ms: median(waits) };
}

/**
 * Until the compiler has optimised the code; less favours the side with the least code. It counts units and not the time
 * that a busy machine takes for them, up to a limit.
 */
const WARM_MS = 2_000;
const WARM_UNITS = 2_000;
const WARM_BURSTS = 4;

export interface Size {
  readonly rounds: number;
  readonly ms: number;
}

/** The variants in turn, one burst each, in the other direction every other round. */
export async function interleave<V extends { readonly name: string }>(
  burst: (variant: V, ms: number) => Promise<Burst>,
  variants: readonly V[],
  { rounds, ms }: Size,
): Promise<Bursts> {
  const results = new Map(variants.map(({ name }) => [name, [] as Burst[]]));
  for (const variant of variants) await warmUp((ms) => burst(variant, ms));
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? variants : variants.toReversed();
    for (const variant of order) results.get(variant.name)?.push(await burst(variant, ms));
  }
  return results;
}

async function warmUp(burst: (ms: number) => Promise<Burst>): Promise<void> {
  let units = 0;
  for (let turn = 0; turn < WARM_BURSTS && units < WARM_UNITS; turn += 1)
    units += ((await burst(WARM_MS)).rate * WARM_MS) / 1000;
}

/** Two variants combined into one, round by round. */
export const meanOf = (a: readonly Burst[], b: readonly Burst[]): Burst[] =>
  a.map((one, round) => {
    const other = b[round] ?? one;
    const mean = (what: keyof Burst) => (one[what] + other[what]) / 2;
    return {
      rate: mean('rate'),
      p50Ms: mean('p50Ms'),
      nodeUs: mean('nodeUs'),
      serverUs: mean('serverUs'),
    };
  });

export interface Comparison {
  /** The rate of `a` relative to that of `b`. */
  rate(a: string, b: string): number;
  /** The units of `a` for the CPU that `b` needs for one; Node and database together. */
  capacity(a: string, b: string): number;
  wait(a: string, b: string): number;
  /** The CPU of `a` for a unit relative to that of `b`, in Node or in the server. */
  cpuIn(what: 'nodeUs' | 'serverUs', a: string, b: string): number;
  typical(name: string, what: keyof Burst): number;
  /** The rates and the CPU of both, for people. */
  against(a: string, b: string): string;
}

/** Medians of the ratios within a round, since neighbouring bursts saw the same machine. */
export function compare(bursts: Bursts): Comparison {
  const of = (name: string, what: keyof Burst) => (bursts.get(name) ?? []).map((b) => b[what]);
  const cpu = (name: string) =>
    of(name, 'nodeUs').map((us, round) => us + (of(name, 'serverUs')[round] ?? Number.NaN));
  const typical = (name: string, what: keyof Burst) => median(of(name, what));
  const us = (values: readonly number[]) => Math.round(median(values));
  const shown = (name: string) =>
    `${us(of(name, 'rate'))}/s at ${us(cpu(name))} us (${us(of(name, 'nodeUs'))} + ${us(of(name, 'serverUs'))})`;
  return {
    rate: (a, b) => pairedRatio(of(a, 'rate'), of(b, 'rate')),
    capacity: (a, b) => pairedRatio(cpu(b), cpu(a)),
    wait: (a, b) => pairedRatio(of(a, 'p50Ms'), of(b, 'p50Ms')),
    cpuIn: (what, a, b) => pairedRatio(of(a, what), of(b, what)),
    typical,
    against: (a, b) => `${shown(a)} against ${shown(b)}`,
  };
}

/** The median over the rounds of the ratio of `a` and `b` in the same round. */
export function pairedRatio(a: readonly number[], b: readonly number[]): number {
  return median(a.map((value, round) => value / (b[round] ?? Number.NaN)));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

async function postmasterOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  return statOf(String(rows[0]?.pid))?.parent ?? Number.NaN;
}

export function threadsNs(pid: string): number {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    return tasks.reduce((sum, task) => {
      const [running] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ');
      return sum + Number(running);
    }, 0);
  } catch {
    return Number.NaN;
  }
}

/** Of all server processes that live, and of those that ended since the server started. */
function serverNs(postmaster: number): number {
  const own = statOf(String(postmaster));
  if (!own) return Number.NaN;
  let sum = own.endedTicks * 10_000_000;
  for (const pid of readdirSync('/proc')) {
    if (/^\d+$/.test(pid) && statOf(pid)?.parent === postmaster) sum += threadsNs(pid) || 0;
  }
  return sum;
}

function statOf(pid: string): { parent: number; endedTicks: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; the fields after it are numbers.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), endedTicks: Number(fields[13]) + Number(fields[14]) };
  } catch {
    return undefined;
  }
}
