import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { sharedDatabase } from '../database.ts';
import { FEW } from './few.ts';

/** The rows that the planner assumes for each table, and for small ones. */
const ROWS = 1_000_000;
const FEW_ROWS = 20;
const ROWS_PER_PAGE = 50;
const ENTRIES_PER_PAGE = 250;
/** The number of a table's rows in a partial index: open, due, active ones. */
const IN_PART = 0.01;
const PAGE = 8192;
/** The number of different values in such a column of a table. */
const DIFFERENT = -0.2;

interface Relation {
  readonly schema: string;
  readonly name: string;
  readonly kind: 'r' | 'i';
  readonly table: string;
  readonly isPart: boolean;
  readonly path: string;
}

/**
 * The address of a migrated database, one for the run, whose planner assumes a million rows in every table but those named. It takes the length of a relation's file and multiplies by the density of
 * its statistics: so the statistics are set, and the files are made long, which takes no room on the disk.
 * Its tables are empty, and it serves EXPLAIN only.
 */
export async function largeDatabase(isSmall: (table: string) => boolean): Promise<string> {
  return sharedDatabase('large', async (url) => {
    const client = new pg.Client({ connectionString: withPath(inject('testAdmin'), url) });
    await client.connect();
    try {
      await enlarge(client, isSmall);
    } finally {
      await client.end();
    }
  });
}

function withPath(admin: string, url: string): string {
  const address = new URL(admin);
  address.pathname = new URL(url).pathname;
  return address.href;
}

async function enlarge(client: pg.Client, isSmall: (table: string) => boolean): Promise<void> {
  const setting = await client.query(`select current_setting('data_directory') as folder`);
  const { folder } = setting.rows[0];
  const { rows } = await client.query<Relation>(
    `select n.nspname as schema, c.relname as name, c.relkind as kind,
       coalesce(i.indrelid, c.oid)::regclass::text as table,
       i.indpred is not null as "isPart", pg_relation_filepath(c.oid) as path
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
       left join pg_index i on i.indexrelid = c.oid
     where c.relkind in ('r', 'i') and n.nspname !~ '^(pg_|information_schema)'`,
  );
  for (const relation of rows) {
    const tuples = tuplesOf(relation, isSmall);
    const pages = Math.ceil(tuples / (relation.kind === 'r' ? ROWS_PER_PAGE : ENTRIES_PER_PAGE));
    await truncate(join(folder, relation.path), pages * PAGE);
    await client.query(
      `select pg_restore_relation_stats('schemaname', $1::text, 'relname', $2::text,
         'relpages', $3::integer, 'reltuples', $4::real, 'relallvisible', $3::integer)`,
      [relation.schema, relation.name, pages, tuples],
    );
  }
  for (const [column] of FEW) await tellDifferent(client, column);
}

function tuplesOf({ table, isPart }: Relation, isSmall: (table: string) => boolean): number {
  if (isSmall(table)) return FEW_ROWS;
  return isPart ? ROWS * IN_PART : ROWS;
}

/** Of a table, all its partitions, or an index, whose columns are named after what they hold. */
async function tellDifferent(client: pg.Client, column: string): Promise<void> {
  const [name = '', table = '', schema = 'public'] = column.split('.').toReversed();
  await client.query(
    `select pg_restore_attribute_stats('schemaname', n.nspname::text, 'relname', c.relname::text,
       'attname', $2::text, 'inherited', false, 'n_distinct', $3::real)
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'i') and c.oid in (
       select relid from pg_partition_tree($1::regclass) union select $1::regclass)`,
    [`${schema}.${table}`, name, DIFFERENT],
  );
}
