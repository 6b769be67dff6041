import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import { generate, PostgresDialect as TypesDialect } from 'kysely-codegen';
import pg from 'pg';
import { startEmbedded } from '../embedded/embedded.ts';
import { migrate } from '../src/kernel/db/migrate.ts';

/**
 * Writes the row types of the migrated schema. `--check` changes nothing and fails if the file does
 * not match the migrations.
 */

const FILE = 'src/kernel/db/schema.generated.ts';

const types = await typesOfMigratedDatabase();
if (!process.argv.includes('--check')) {
  await writeFile(FILE, types);
} else if ((await readFile(FILE, 'utf8').catch(() => '')) !== types) {
  console.error(`${FILE} is not what the migrations lead to: npm run generate writes it.`);
  process.exit(1);
}

async function typesOfMigratedDatabase(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'archipay-types-'));
  const { url, stop } = await startEmbedded({ dir, durable: false });
  try {
    await migrate(url);
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    // A pool has ended before its connections have, and the server's stop may come in between.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
    const typeMapping = {
      // As the driver's parsers return them, see db.ts.
      numeric: 'bigint',
      int8: 'number',
      timestamptz: 'string',
    };
    const dialect = new TypesDialect({ defaultSchemas: ['public'] });
    const text = await generate({ db, dialect, typeMapping, outFile: null });
    await db.destroy();
    return text;
  } finally {
    await stop();
    await rm(dir, { recursive: true, force: true });
  }
}
