import { type OpenDatabase, openDatabase } from '#kernel/db/db.ts';
import { atEnd } from './at-end.ts';
import { emptyDatabase, migrateBefore } from './database.ts';

export type OldDatabase = OpenDatabase & { readonly url: string };

/** A database as it was before the migration of that name, for tests of upgrades; ends with the file. */
export async function databaseBefore(last: string): Promise<OldDatabase> {
  const { url, close } = await emptyDatabase();
  const open = openDatabase(url);
  atEnd(async () => {
    await open.close();
    await close();
  });
  await migrateBefore(url, last);
  return { ...open, url };
}
