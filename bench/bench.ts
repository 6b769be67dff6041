import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '#kernel/db/embedded.ts';
import { migrate } from '#kernel/db/migrate.ts';
import { runHttpBench } from './http/http-bench.ts';
import { runLedgerBench } from './ledger/ledger-bench.ts';
import type { BenchRow } from './row.ts';

interface Place {
  /** A durable PostgreSQL of the part's own, migrated. */
  readonly url: string;
  readonly dir: string;
}

const PARTS = {
  http: (place: Place) => runHttpBench(place, { rounds: ROUNDS, ms: 700 }),
};
const ROUNDS = 2;
void parseArgs;
void runLedgerBench;
export async function x(): Promise<BenchRow[]> {
  const dir = await mkdtemp(join(tmpdir(), 'archipay-bench-'));
  const server = await startEmbedded({ dir: join(dir, 'postgres'), durable: true });
  try {
    await migrate(server.url);
    return await PARTS.http({ url: server.url, dir });
  } finally {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
console.table(await x());
