import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { REQUEST_LIMITS } from '../../test/request-limits.ts';
import type { Place } from '../place.ts';
import { type BenchRow, reported } from '../row.ts';
import { freePort, startService } from '../service-process.ts';

/** The first walk fills the caches; the dispatcher sends statements at times, too. */
const WALKS = 2;

interface Counted {
  readonly id: string;
  readonly trips: number;
  readonly statements: number;
}

/**
 * The round trips and statements of each endpoint of the demo's journeys. Jobs, simulators and chains are in another
 * process. Each walk is a newcomer's, so that cached facts of a user or wallet are looked up again; the limit with warm
 * caches stands beside it, and `test/queries.test.ts` checks it.
 */
export async function runStatementsBench({ url, dir }: Place): Promise<BenchRow[]> {
  const file = join(dir, 'counted.jsonl');
  const mails = { SANDBOX_SMTP_PORT: String(await freePort()) };
  const home = { DATABASE_URL: url, DATA_DIR: join(dir, 'home'), RATE_LIMITS: 'off', ...mails };
  const worker = await startService({ ...home, ROLE: 'worker' });
  const sandbox = { SANDBOX_PORT: new URL(worker.sandboxUrl).port };
  const counted = { ...home, ...sandbox, ROLE: 'api', COUNTED_FILE: file };
  const service = await startService(counted, 'bench/statements/counted-service.ts');
  try {
    for (let walk = 0; walk < WALKS; walk += 1)
      await demo({ ...process.env, ...home, ...sandbox, PORT: String(service.port) });
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    return rowsOf(lines.map((line) => JSON.parse(line) as Counted));
  } finally {
    await service.stop();
    await worker.stop();
  }
}

async function demo(env: NodeJS.ProcessEnv): Promise<void> {
  const path = join(import.meta.dirname, '../../demo/demo.ts');
  const child = spawn(process.execPath, [path], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [, said, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  if (code !== 0) throw new Error(`The demo ended with ${code}: ${said}`);
}

function rowsOf(all: readonly Counted[]): BenchRow[] {
  const fewest = new Map<string, Counted>();
  for (const one of all) {
    const known = fewest.get(one.id);
    if (!known || one.statements < known.statements) fewest.set(one.id, one);
  }
  const sorted = [...fewest.values()].toSorted((a, b) => b.trips - a.trips);
  return sorted.map(({ id, trips, statements }) => {
    const limit = REQUEST_LIMITS.find((one) => one.id === id && !one.isKeyed);
    const most =
      limit && `; once known at most ${limit.trips ?? limit.statements} by ${limit.statements}`;
    const note = `${statements} statements${most ?? ''}`;
    return reported({ bar: '', what: id, measured: trips, unit: 'round trips', note });
  });
}
