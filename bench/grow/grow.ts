import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openClient } from '#kernel/db/client.ts';
import { startEmbedded } from '#kernel/db/embedded.ts';
import { migrate } from '#kernel/db/migrate.ts';
import { installJobs } from '#kernel/jobs/boss.ts';
import { fill } from './fill.ts';
import { type Measured, measure } from './measure.ts';
import { sizesAt } from './sizes.ts';
import { tableOf, writeTable } from './table.ts';

/**
 * Fills a database as years would, and with `--measure` asks every list, history and probe of it what it
 * costs, at two scales: `npm run grow -- --measure --scale 1,20`. Nothing is left behind but
 * `bench/growth.md`; without `--measure` the database stays in the folder that is named.
 */
const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    measure: { type: 'boolean', default: false },
    dir: { type: 'string' },
  },
});
const scales = values.scale.split(',').map(Number);
if (scales.some((scale) => !(scale >= 1 && scale <= 100))) throw new Error('A scale is 1 to 100');

const results: { scale: number; rows: Measured[] }[] = [];
for (const scale of scales) results.push({ scale, rows: await grow(scale) });
const [one, other] = results;
if (values.measure && one && other) {
  const table = tableOf(one, other);
  console.log(table);
  await writeTable(table, one, other);
}

/** One database at a time, since at 100 it takes more than ten gigabytes. */
async function grow(scale: number): Promise<Measured[]> {
  const dir = values.dir ?? (await mkdtemp(join(tmpdir(), 'archipay-grow-')));
  await withStatements(dir);
  const { url, adminUrl, stop } = await startEmbedded({ dir, durable: false });
  const filled = Object.assign(new URL(adminUrl), { pathname: new URL(url).pathname }).href;
  try {
    await migrate(url);
    await installJobs(url);
    console.log(`Scale ${scale} in ${dir}`);
    const start = performance.now();
    await fill(filled, sizesAt(scale));
    console.log(`Filled in ${Math.round((performance.now() - start) / 1000)} s`);
    if (!values.measure) return [];
    const client = await openClient({ connectionString: filled });
    await client.query('create extension if not exists pg_stat_statements');
    await client.end();
    return await measure(url, filled, sizesAt(scale));
  } finally {
    await stop();
    if (!values.dir) await rm(dir, { recursive: true, force: true });
  }
}

/** Counts what statements cost, which a server must be told before it starts. */
async function withStatements(dir: string): Promise<void> {
  const { adminUrl, stop } = await startEmbedded({ dir, durable: false });
  const client = await openClient({ connectionString: adminUrl });
  await client.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  await client.end();
  await stop();
}
