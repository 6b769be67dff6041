import { isDeepStrictEqual } from 'node:util';
import { type Metadata, type MetadataChange, mergedMetadata } from '../caller-names.ts';
import { type Db, now } from '../db/db.ts';
import { fail } from '../error.ts';
import { requireVersion } from '../http/declare/if-match.ts';
import { transact } from '../transact.ts';
import type { NamesReader, ObjectNames } from './object-names.ts';

/** A thing as its events name it, with its owner. The caller has been found to reach it. */
export interface NameableObject {
  readonly type: string;
  readonly id: string | number;
  readonly client_id: number;
  readonly user_id: number | null;
  /** The kind of thing that its endpoint declares. */
  readonly kind: string;
}

export interface MetadataMerge {
  readonly metadata: MetadataChange;
  /** The version that the caller has read; without it the change is made to whatever there is. */
  readonly version?: number | undefined;
  readonly reader: NamesReader;
}

/**
 * Changes the metadata of a thing, at any time: keys with a text are set, those with a null removed. What changes nothing
 * leaves the version as it is. Throws VERSION_CONFLICT, VALIDATION_ERROR where it would be too much, and FORBIDDEN where
 * the names are those of another client than the caller's, such as the operator's for a client's wallet.
 */
export const mergeMetadata = (
  db: Db,
  object: NameableObject,
  { metadata: change, version, reader }: MetadataMerge,
): Promise<ObjectNames> =>
  transact(db, async (tx) => {
    const before = await lockNames(tx, object);
    if (reader !== 'operator' && before.client_id !== reader)
      throw fail('FORBIDDEN', 'The metadata of this thing belongs to another client');
    const { reference } = before;
    requireVersion(before.version, version);
    const metadata = mergedMetadata(before.metadata as Metadata, change);
    if (isDeepStrictEqual(metadata, before.metadata))
      return { reference, metadata, version: before.version };
    const changed = await tx
      .updateTable('caller_names')
      .set(({ eb }) => ({ metadata: JSON.stringify(metadata), version: eb('version', '+', 1) }))
      .where('object_type', '=', object.type)
      .where('object_id', '=', String(object.id))
      .returning('version')
      .executeTakeFirstOrThrow();
    return { reference, metadata, version: changed.version };
  });

/** The row, which later changes wait for; made where its caller has given no names. */
async function lockNames(tx: Db, { type, id, client_id, user_id, kind }: NameableObject) {
  const names = { object_type: type, object_id: String(id), client_id, user_id, kind };
  await tx
    .insertInto('caller_names')
    .values({ ...names, created_at: now })
    .onConflict((conflict) => conflict.constraint('caller_names_pkey').doNothing())
    .execute();
  return tx
    .selectFrom('caller_names')
    .select(['client_id', 'reference', 'metadata', 'version'])
    .where('object_type', '=', names.object_type)
    .where('object_id', '=', names.object_id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}
