import type { Db } from '#kernel/db/db.ts';
import type { FileUse } from '#kernel/feature.ts';

/** Those of the files that something names, by what. */
export async function namedFiles(
  db: Db,
  uses: readonly FileUse[],
  file_ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const named = new Map<string, string>();
  if (file_ids.length === 0) return named;
  for (const { by, find } of uses)
    for (const file_id of await find(db, file_ids)) named.set(file_id, by);
  return named;
}
