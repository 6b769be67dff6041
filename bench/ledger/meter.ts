import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

/** One way of doing the work. `once` does it one time and answers how many units of it that was. */
export interface Variant {
  readonly name: string;
  readonly inFlight: number;
  once(): Promise<number>;
}

/** One burst: units per second, CPU microseconds per unit here and in the server, median wait. */
export interface Burst {
  readonly rate: number;
  readonly nodeUs: number;
  readonly serverUs: number;
  readonly p50Ms: number;
}

export interface Meter {
  burst(variant: Variant, ms: number): Promise<Burst>;
}

/**
 * Measures CPU besides the clock: on a shared machine the clock of one burst may double from one to
 * the next, CPU per unit and the ratio of neighbouring bursts hold (Linux only; NaN elsewhere).
 */
export async function createMeter(pool: pg.Pool): Promise<Meter> {
  const postmaster = await postmasterOf(pool);
  return {
    async burst({ once, inFlight }, ms) {
      const waits: number[] = [];
      let units = 0;
      const nodeBefore = threadsNs('self');
      const serverBefore = serverNs(postmaster);
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
      const seconds = (performance.now() - start) / 1000;
      return {
        rate: units / seconds,
        nodeUs: (threadsNs('self') - nodeBefore) / 1000 / units,
        serverUs: (serverNs(postmaster) - serverBefore) / 1000 / units,
        p50Ms: median(waits),
      };
    },
  };
}

/** The variants in turn, one burst each, in the other direction every other round. */
export async function interleave(
  meter: Meter,
  variants: readonly Variant[],
  { rounds, ms }: { rounds: number; ms: number },
): Promise<Map<string, Burst[]>> {
  const results = new Map(variants.map(({ name }) => [name, [] as Burst[]]));
  for (const variant of variants) await meter.burst(variant, ms / 4);
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? variants : variants.toReversed();
    for (const variant of order) results.get(variant.name)?.push(await meter.burst(variant, ms));
  }
  return results;
}

/** The median over the rounds of how `a` compares with `b` in the same round. */
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

function threadsNs(pid: string): number {
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
