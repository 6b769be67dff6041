import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { SealedKind } from '#kernel/secrets/sealed.ts';
import type { FilePurpose } from './purposes.ts';

export type StoredFile = Row<'files'> & { readonly purpose: FilePurpose };
export type NewFile = Omit<StoredFile, 'ordinal'>;

/** Of a file's key. */
export const fileContext = (file_id: string): string => `file:${file_id}`;

export const SEALED_FILES: SealedKind = {
  what: 'keys of files',
  text: `select sealed_key as sealed, 'file:' || file_id as context, null::bytea as mark from files`,
};

export const insertPart = (db: Db, file_id: string, n: number, sealed: Buffer): Promise<unknown> =>
  run(db, 'insert into file_parts (file_id, n, sealed) values ($1, $2, $3)', [file_id, n, sealed]);

export async function readPart(db: Db, file_id: string, n: number): Promise<Buffer | undefined> {
  const text = 'select sealed from file_parts where file_id = $1 and n = $2';
  const [part] = await run<Row<'file_parts', 'sealed'>>(db, text, [file_id, n]);
  return part?.sealed;
}

export const deleteParts = (db: Db, file_id: string): Promise<unknown> =>
  run(db, 'delete from file_parts where file_id = $1', [file_id]);

/** Undefined where its owner has sent the same bytes for that purpose before. */
export const insertFile = (db: Db, file: NewFile): Promise<StoredFile | undefined> =>
  db
    .insertInto('files')
    .values(file)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst() as Promise<StoredFile | undefined>;

/** The file with those bytes, which stays as long as a new one would. */
export async function renewFile(db: Db, file: NewFile): Promise<StoredFile | undefined> {
  const [first] = await run<StoredFile>(
    db,
    `update files set expires_at = greatest(expires_at, $5) where client_id = $1
       and coalesce(user_id, 0) = coalesce($2::integer, 0) and purpose = $3 and sha256 = $4
     returning *`,
    [file.client_id, file.user_id, file.purpose, file.sha256, file.expires_at],
  );
  return first;
}

/** Whose files a caller reaches, and who the caller is. */
export interface FileReach extends TenantScope {
  readonly self?: number;
}

/** An export of a person's data is reached by that person alone: not by admins who reach their files. */
const inScope = (db: Db, { self, ...reach }: FileReach) =>
  db
    .selectFrom('files as f')
    .selectAll('f')
    .where(({ ref }) => inTenantScope(reach, ref('f.user_id') as never, ref('f.client_id')))
    .where(({ eb, or }) =>
      or([eb('f.purpose', '<>', 'export'), eb('f.user_id', '=', self ?? reach.user_id ?? null)]),
    );

/** Newest first; `before` is an ordinal. */
export const listFiles = (
  db: Db,
  reach: FileReach,
  page: {
    readonly limit: number;
    readonly before: number | undefined;
    readonly purpose: FilePurpose | undefined;
  },
): Promise<StoredFile[]> => {
  const { limit, before = Number.MAX_SAFE_INTEGER, purpose } = page;
  return inScope(db, reach)
    .where('f.ordinal', '<', before)
    .$if(purpose !== undefined, (q) => q.where('f.purpose', '=', purpose ?? ''))
    .$if(purpose === 'export', (q) => q.where('f.user_id', '=', reach.self ?? null))
    .orderBy('f.ordinal', 'desc')
    .limit(limit)
    .execute() as Promise<StoredFile[]>;
};

/** Nothing where the caller does not reach it. */
export const findStoredFile = (
  db: Db,
  reach: FileReach,
  file_id: string,
): Promise<StoredFile | undefined> =>
  inScope(db, reach).where('f.file_id', '=', file_id).executeTakeFirst() as Promise<
    StoredFile | undefined
  >;

/** The same; until the transaction ends it is not deleted. */
export const holdFile = (
  tx: Db,
  reach: TenantScope,
  file_id: string,
): Promise<StoredFile | undefined> =>
  inScope(tx, reach).where('f.file_id', '=', file_id).forKeyShare().executeTakeFirst() as Promise<
    StoredFile | undefined
  >;

/** The same for who deletes it: a transaction that names it has committed, or waits. */
export const lockFile = (
  tx: Db,
  reach: TenantScope,
  file_id: string,
): Promise<StoredFile | undefined> =>
  inScope(tx, reach).where('f.file_id', '=', file_id).forUpdate().executeTakeFirst() as Promise<
    StoredFile | undefined
  >;

export async function deleteFiles(tx: Db, file_ids: readonly string[]): Promise<void> {
  await run(tx, 'delete from file_parts where file_id = any($1::uuid[])', [file_ids]);
  await run(tx, 'delete from files where file_id = any($1::uuid[])', [file_ids]);
}

/** Some whose time has come, locked; those that another process looks at are left out. */
export async function lockExpired(tx: Db, now: string, limit: number): Promise<string[]> {
  const text = `select file_id from files where expires_at <= $1 order by expires_at limit $2
    for update skip locked`;
  return (await run<Row<'files', 'file_id'>>(tx, text, [now, limit])).map(({ file_id }) => file_id);
}

export const keepFiles = (tx: Db, file_ids: readonly string[], until: string): Promise<unknown> =>
  run(tx, 'update files set expires_at = $2 where file_id = any($1::uuid[])', [file_ids, until]);

/** Parts of uploads that were broken off before that time; answers how many uploads. */
export async function forgetBroken(db: Db, before: string, limit: number): Promise<number> {
  const rows = await run(
    db,
    `with broken as (
       select p.file_id from file_parts p where p.n = 0 and p.written_at < $1
         and not exists (select from files f where f.file_id = p.file_id) limit $2),
     gone as (delete from file_parts where file_id in (select file_id from broken))
     select file_id from broken`,
    [before, limit],
  );
  return rows.length;
}

/** The files of a person in the order of their ordinals, after one. */
export const filesOfPerson = (
  db: Db,
  user_id: number,
  after: number,
  limit: number,
): Promise<Pick<StoredFile, 'file_id' | 'ordinal'>[]> =>
  run(
    db,
    `select file_id, ordinal from files where user_id = $1 and ordinal > $2 order by ordinal limit $3`,
    [user_id, after, limit],
  );
