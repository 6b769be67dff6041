import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { checkCopy } from '../src/app/operate/restore/check-copy.ts';
import type { Finding } from '../src/app/operate/restore/finding.ts';
import { databaseError } from '../src/app/start/database-words.ts';
import { loadSecrets } from '../src/app/start/secrets-file.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import { openClient } from '../src/kernel/db/client.ts';
import { migrate, planMigrations } from '../src/kernel/db/migrate.ts';
import { printJson } from './beside.ts';
import { complain } from './operate.ts';
import { makeScratch } from './restore/scratch.ts';
import { restoreDump } from './restore/tools.ts';

/**
 * Whether a copy of the database is usable: restores a dump into a database of its own, or reads a copy that was
 * restored already. Makes no outside call, sends nothing, and writes to no database but the one it makes and drops.
 * Ends with 1 if the copy has a fault.
 */
const USAGE = `Usage: npm run restore:check -- (--dump <file> [--scratch <server>] | --database <address>)
  --dump <file>         a file of pg_dump: restored into a database that is made for it and dropped
  --scratch <server>    where that is made, by a role that may create databases; a server of its own without it
  --database <address>  a copy that is there already; it is only read
  --live <address>      the database that it is a copy of: says how many postings the copy lacks
  --at <time>           when the database was lost, instead of now
  --rpo <seconds>       how old the newest row may be
  --json                for programs
MASTER_KEY and EVM_MNEMONIC are those of the service's settings.`;

interface Orders {
  readonly dump?: string | undefined;
  readonly scratch?: string | undefined;
  readonly database?: string | undefined;
  readonly live?: string | undefined;
  readonly at: Date;
  readonly rpo?: number | undefined;
  readonly json: boolean;
}

interface Report {
  readonly ok: boolean;
  /** The time of restoring the dump, and of migrating it: the larger part of the recovery time. */
  readonly restored_ms?: number;
  readonly checked_ms: number;
  readonly findings: readonly Finding[];
}

const order = orders();
if (order === undefined) complain(USAGE);
else await carryOut(order).catch((error: Error) => complain(error.message));

function orders(): Orders | undefined {
  const text = { type: 'string' } as const;
  const options = { dump: text, scratch: text, database: text, live: text, at: text, rpo: text };
  try {
    const { values } = parseArgs({ options: { ...options, json: { type: 'boolean' } } });
    const { at, rpo, json = false, ...places } = values;
    const when = at === undefined ? new Date() : new Date(at);
    const seconds = rpo === undefined ? undefined : Number(rpo);
    if ((places.dump === undefined) === (places.database === undefined)) return undefined;
    if (places.scratch !== undefined && places.dump === undefined) return undefined;
    if (Number.isNaN(when.getTime()) || Number.isNaN(seconds ?? 0)) return undefined;
    return { ...places, at: when, rpo: seconds, json };
  } catch {
    return undefined;
  }
}

async function carryOut(given: Orders): Promise<void> {
  const report = given.dump === undefined ? await lookAt(given) : await restoreAnd(given);
  if (given.json) printJson(report);
  else print(report);
  if (!report.ok) process.exitCode = 1;
}

/** A signal ends the tools, and leaves nothing behind. */
async function restoreAnd(given: Orders): Promise<Report> {
  const { dump = '' } = given;
  await stat(dump);
  const ending = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());
  const scratch = await makeScratch(given.scratch);
  try {
    const begun = performance.now();
    await restoreDump(dump, scratch.url, ending.signal);
    const older = await broughtUpToDate(scratch.url);
    const restored_ms = Math.round(performance.now() - begun);
    const report = await lookAt({ ...given, database: scratch.url });
    return { ...report, restored_ms, findings: [...older, ...report.findings] };
  } finally {
    await scratch.close();
  }
}

/** As the restored release would do it; the check refuses a newer one. */
async function broughtUpToDate(url: string): Promise<Finding[]> {
  const lacking = await planMigrations(url).catch((): string[] => []);
  // An empty dump is not an older version.
  if (lacking.length === 0 || lacking[0]?.startsWith('0001_')) return [];
  await migrate(url);
  return [
    {
      check: 'age of schema',
      state: 'note',
      says: `The dump lacked ${lacking.join(', ')}: applied`,
    },
  ];
}

async function lookAt({ database = '', live, at, rpo }: Orders): Promise<Report> {
  await reach(database, '--database');
  if (live !== undefined) await reach(live, '--live');
  const config = loadConfig({ DATABASE_URL: database, ...process.env });
  const secrets = await loadSecrets(config);
  const begun = performance.now();
  const options = { secrets, at, rpoSeconds: rpo, liveUrl: live };
  const findings = await checkCopy(database, options);
  const checked_ms = Math.round(performance.now() - begun);
  return { ok: findings.every(({ state }) => state !== 'wrong'), checked_ms, findings };
}

/** An unreachable address proves nothing about the copy. */
async function reach(url: string, name: string): Promise<void> {
  try {
    const client = await openClient({ connectionString: url });
    await client.end();
  } catch (error) {
    throw databaseError(url, error, name);
  }
}

function print({ ok, restored_ms, checked_ms, findings }: Report): void {
  for (const { check, state, says, rows } of findings) {
    console.log(`${state.padEnd(5)}  ${check}: ${says}`);
    if (rows) console.table(rows);
  }
  const took = restored_ms === undefined ? '' : `restored in ${restored_ms / 1000} s, `;
  console.log(
    `${took}checked in ${checked_ms / 1000} s. ${ok ? 'This copy can be gone on from.' : 'WRONG: do not start the service on this copy.'}`,
  );
}
