import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openClient } from './client.ts';

/** Where the migrations of the service are. */
const MIGRATIONS = fileURLToPath(new URL('../../../migrations/', import.meta.url));

/** Advisory lock id; arbitrary, and used for nothing else in this database. */
const LOCK = 7_242_001;

export interface MigrateOptions {
  readonly dir?: string;
  readonly log?: (message: string) => void;
}

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/**
 * Applies the migrations that the database does not have yet, in order, each in a transaction of
 * its own, and answers their names. Any number of processes may do so at once. A database that does
 * not fit the files (one was changed after it was applied, or is missing) is refused.
 */
export async function migrate(
  target: string | pg.Pool,
  { dir = MIGRATIONS, log = () => {} }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = await readMigrations(dir);
  const { client, close } = await connect(target);
  const done: string[] = [];
  try {
    for (;;) {
      const applied = await applyNext(client, migrations);
      if (applied === undefined) return done;
      log(`Applied migration ${applied}`);
      done.push(applied);
    }
  } finally {
    await close();
  }
}

/** What `migrate` would apply, in order, without changing anything; refuses what `migrate` refuses. */
export async function planMigrations(
  target: string,
  { dir = MIGRATIONS }: Pick<MigrateOptions, 'dir'> = {},
): Promise<string[]> {
  const migrations = await readMigrations(dir);
  const { client, close } = await connect(target);
  try {
    const { rows } = await client.query(`select to_regclass('migrations') is not null as begun`);
    const applied = rows[0]?.begun ? await readApplied(client) : [];
    return missing(migrations, applied).map(({ name }) => name);
  } finally {
    await close();
  }
}

/** For processes that must not change the schema. Throws where the database is not up to date. */
export async function requireMigrated(target: string): Promise<void> {
  const [next, ...more] = await planMigrations(target);
  if (next === undefined) return;
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  throw new Error(`The database lacks migration ${next}${others}: run \`npm run migrate\` first`);
}

async function connect(target: string | pg.Pool) {
  if (typeof target !== 'string') {
    const client = await target.connect();
    return { client, close: async () => client.release() };
  }
  const client = await openClient({ connectionString: target });
  return { client, close: () => client.end() };
}

/** The migrations in `dir`, in order. Checksums do not depend on how lines end. */
export async function readMigrations(dir: string = MIGRATIONS): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort();
  const migrations = await Promise.all(
    names.map(async (name) => {
      const [, digits] = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name) ?? [];
      if (digits === undefined) throw new Error(`${name} is not named NNNN_name.sql`);
      const text = (await readFile(join(dir, name), 'utf8')).replaceAll('\r\n', '\n');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { version: Number(digits), name, text, checksum };
    }),
  );
  const twice = migrations.find(({ version }, i) => migrations[i + 1]?.version === version);
  if (twice) throw new Error(`Two migrations have the number of ${twice.name}`);
  return migrations;
}

/**
 * The lock belongs to the transaction, not to the session, so it also works behind a pooler; what
 * is applied is read again under it, since another process may have been faster.
 */
async function applyNext(client: pg.ClientBase, migrations: readonly Migration[]) {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    const next = await findNext(client, migrations);
    if (next) await apply(client, next);
    await client.query('commit');
    return next?.name;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function findNext(client: pg.ClientBase, migrations: readonly Migration[]) {
  await client.query(`
    create table if not exists migrations (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
  return missing(migrations, await readApplied(client))[0];
}

type Applied = Pick<Migration, 'version' | 'name' | 'checksum'>;

async function readApplied(client: pg.ClientBase): Promise<Applied[]> {
  const sql = 'select version, name, checksum from migrations order by version';
  return (await client.query<Applied>(sql)).rows;
}

/** Those that were not applied, in order. Throws where files and database do not fit. */
function missing(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  for (const { version, name, checksum } of applied) {
    const file = migrations.find((migration) => migration.version === version);
    if (file === undefined)
      throw new Error(`The database has migration ${name}, which this version does not know`);
    if (file.checksum !== checksum)
      throw new Error(
        `Migration ${file.name} was changed after it was applied. ` +
          'Restore it and put the change into a new migration.',
      );
  }
  const last = applied.at(-1);
  const left = migrations.filter(({ version }) => applied.every((row) => row.version !== version));
  const [next] = left;
  if (next && last && next.version < last.version)
    throw new Error(`Migration ${next.name} comes before ${last.name}, which is applied already`);
  return left;
}

async function apply(client: pg.ClientBase, { version, name, text, checksum }: Migration) {
  try {
    await client.query('set local statement_timeout = 0');
    await client.query(text);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const line = text.slice(0, Number(error.position ?? 0)).split('\n').length;
    const place = error.position === undefined ? name : `${name}:${line}`;
    throw new Error(`Migration ${place} failed: ${error.message}`, { cause: error });
  }
  await client.query('insert into migrations (version, name, checksum) values ($1, $2, $3)', [
    version,
    name,
    checksum,
  ]);
}
