import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import { type IncomingFile, KEPT_MS, keepFile, openFile } from './keep.ts';
import { namedFiles } from './named-files.ts';
import { FILES_PERSON_DATA } from './person-data.ts';
import { FILES_WORDS } from './reference.ts';
import { type FileRouteDeps, fileRoutes } from './routes.ts';
import {
  deleteFiles,
  filesOfPerson,
  findStoredFile,
  forgetBroken,
  holdFile,
  keepFiles,
  lockExpired,
  type StoredFile,
} from './store.ts';

export { SEALED_FILES } from './store.ts';

/** Files for other features. One that names a file says so by its `fileUses`. */
export interface Files {
  /** Keeps what the service has made. Not within a transaction. */
  keep(file: IncomingFile, bytes: AsyncIterable<Buffer>): Promise<StoredFile>;
  /** The file within reach, for who names it in this transaction: until it ends the file is not deleted. */
  hold(tx: Db, reach: TenantScope, file_id: string): Promise<StoredFile | undefined>;
  /** The file within reach. */
  find(db: Db, reach: TenantScope, file_id: string): Promise<StoredFile | undefined>;
  /** Its bytes, part by part. */
  read(db: Db, file: StoredFile): AsyncIterable<Buffer>;
  /** Deletes some that the service has made. */
  remove(tx: Db, file_ids: readonly string[]): Promise<void>;
}

/** Files of 16 MiB: what one transaction deletes stays small. */
const AT_ONCE = 20;
/** No upload takes that long. */
const BROKEN_MS = 24 * 3_600_000;

/** Keeps files sealed, for as long as something names them. */
export function createFiles(deps: FileRouteDeps): Feature & Files {
  return {
    name: 'files',
    personData: {
      ...FILES_PERSON_DATA,
      erase: (db, user_id) => erasePersonFiles(deps, db, user_id),
    },
    reference: FILES_WORDS,
    routes: fileRoutes(deps),
    schedules: [
      defineSchedule({
        name: 'files.forget',
        cron: '53 * * * *',
        run: ({ signal }) => forgetFiles(deps, signal),
      }),
    ],
    keep: async (file, bytes) => (await keepFile(deps, file, bytes)).file,
    hold: holdFile,
    find: findStoredFile,
    read: (db, file) => openFile(deps, db, file),
    remove: deleteFiles,
  };
}

/** Deletes files that nothing names, and what is left of uploads that were broken off. */
async function forgetFiles({ clock, db, uses }: FileRouteDeps, signal: AbortSignal): Promise<void> {
  const now = clock.now().getTime();
  const timeOf = (ms: number) => new Date(ms).toISOString();
  for (let found = AT_ONCE; found === AT_ONCE && !signal.aborted; )
    found = await transact(db, async (tx) => {
      const expired = await lockExpired(tx, timeOf(now), AT_ONCE);
      const named = await namedFiles(tx, uses(), expired);
      await keepFiles(tx, [...named.keys()], timeOf(now + KEPT_MS));
      await deleteFiles(
        tx,
        expired.filter((file_id) => !named.has(file_id)),
      );
      return expired.length;
    });
  while ((await forgetBroken(db, timeOf(now - BROKEN_MS), AT_ONCE)) === AT_ONCE && !signal.aborted);
}

/** Deletes what nothing names of a person who is erased; what a dispute or batch names stays as long as it does. */
async function erasePersonFiles({ uses }: FileRouteDeps, db: Db, user_id: number): Promise<void> {
  for (let after = 0, found = AT_ONCE; found === AT_ONCE; )
    [after, found] = await transact(db, async (tx) => {
      const files = await filesOfPerson(tx, user_id, after, AT_ONCE);
      const ids = files.map(({ file_id }) => file_id);
      const named = await namedFiles(tx, uses(), ids);
      await deleteFiles(
        tx,
        ids.filter((file_id) => !named.has(file_id)),
      );
      return [files.at(-1)?.ordinal ?? after, files.length];
    });
}
