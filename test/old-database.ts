import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type OpenDatabase, openDatabase } from '#kernel/db/db.ts';
import { migrate, readMigrations } from '#kernel/db/migrate.ts';
import { emptyDatabase } from './database.ts';

export type OldDatabase = OpenDatabase & { readonly url: string };

/** A database as it was before the migration of that name, for tests of upgrades; ends with the file. */
export async function databaseBefore(last: string): Promise<OldDatabase> {
  const { url, close } = await emptyDatabase();
  const open = openDatabase(url);
  afterAll(async () => {
    await open.close();
    await close();
  });
  const dir = await mkdtemp(join(tmpdir(), 'archipay-upgrade-'));
  const names = (await readMigrations()).map(({ name }) => name);
  const before = names.slice(
    0,
    names.findIndex((name) => name.endsWith(last)),
  );
  for (const name of before) await cp(join('migrations', name), join(dir, name));
  await migrate(url, { dir });
  await rm(dir, { recursive: true });
  return { ...open, url };
}
