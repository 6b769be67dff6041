import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { embeddedDir, startEmbedded } from '#embedded/embedded.ts';
import { openClient } from '#kernel/db/client.ts';
import { migrate } from '#kernel/db/migrate.ts';
import { fill } from './fill.ts';
import { measure } from './measure.ts';
import { sizesAt } from './sizes.ts';
import { loadNow, type Run, tableOf, writeTable } from './table.ts';

/**
 * Fills a database as years would, and with `--measure` measures the cost of every list, history, probe and schedule, at
 * two scales: `npm run grow -- --measure --scale 1,100`. It leaves only `bench/growth.md`. With `--dir` each database
 * stays, below that folder and its scale, as a DATA_DIR has it; the next run over it continues from the filled rows.
 */
const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    measure: { type: 'boolean', default: false },
    dir: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const scales = values.scale.split(',').map(Number);
if (scales.some((scale) => !(scale >= 1 && scale <= 100))) throw new Error('A scale is 1 to 100');

const runs: Run[] = [];
for (const scale of scales) runs.push(await grow(scale));
const [one, other] = runs;
if (values.measure && one && other) {
  const table = tableOf(one, other);
  console.log(table);
  if (values.only === '') await writeTable(table, one, other);
}

/** One database at a time, since at 100 it takes more than ten gigabytes. */
async function grow(scale: number): Promise<Run> {
  const folder = values.dir
    ? join(values.dir, String(scale))
    : await mkdtemp(join(tmpdir(), 'archipay-grow-'));
  const dir = embeddedDir(folder);
  await withStatements(dir);
  const { url, adminUrl, stop } = await startEmbedded({ dir, durable: false });
  const filled = Object.assign(new URL(adminUrl), { pathname: new URL(url).pathname }).href;
  try {
    await migrate(url);
    console.log(`Scale ${scale} in ${folder}`);
    const start = performance.now();
    await fill(filled, sizesAt(scale));
    console.log(`Filled in ${Math.round((performance.now() - start) / 1000)} s`);
    const sizes = sizesAt(scale);
    const rows = values.measure ? await measure(url, filled, { sizes, only: values.only }) : [];
    return { scale, rows, load: loadNow(), gigabytes: await gigabytesOf(filled) };
  } finally {
    await stop();
    if (!values.dir) await rm(folder, { recursive: true, force: true });
  }
}

/** Counts the cost of statements, by a setting of the server's start. */
async function withStatements(dir: string): Promise<void> {
  const { adminUrl, stop } = await startEmbedded({ dir, durable: false });
  const client = await openClient({ connectionString: adminUrl });
  await client.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  await client.end();
  await stop();
}

async function gigabytesOf(url: string): Promise<number> {
  const client = await openClient({ connectionString: url });
  const { rows } = await client.query('select pg_database_size(current_database()) as bytes');
  await client.end();
  return Number((Number(rows[0].bytes) / 1e9).toFixed(1));
}
