import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Metadata } from '../caller-names.ts';
import { type Cause, causeNow } from '../cause.ts';
import type { Db } from '../db/db.ts';
import type { DB } from '../db/schema.generated.ts';

/** What callers call a thing: null and empty where none was given. */
export interface ObjectNames {
  readonly reference: string | null;
  readonly metadata: Metadata;
  /** Counts the changes of its metadata. */
  readonly version: number;
}

/** Whose names are shown: those that callers of one client have given, or for the operator those of all. */
export type NamesReader = number | 'operator';

/** The reader of a caller; of an event it is the client that owns the object. */
export const namesReaderOf = (caller: {
  readonly operator: boolean;
  readonly client_id: number;
}): NamesReader => (caller.operator ? 'operator' : caller.client_id);

export const NAMELESS: ObjectNames = { reference: null, metadata: {}, version: 1 };

/**
 * The names of an object that the current request makes, for its answer and its first event: they are stored with that.
 * Work that waits in a batch passes its cause.
 */
export function namesGiven(type: string, { names }: Cause = causeNow()): ObjectNames {
  if (names === undefined || names.object !== type) return NAMELESS;
  const { reference, metadata } = names;
  return { reference, metadata, version: 1 };
}

/**
 * The names of objects of one type of events, by their ids: one statement for a page. An object of which the reader's
 * client has given none is not in it; its names are `NAMELESS`.
 */
export async function namesOf(
  db: Db,
  type: string,
  ids: readonly (string | number)[],
  reader: NamesReader,
): Promise<ReadonlyMap<string, ObjectNames>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('caller_names')
    .select(['object_id', 'reference', 'metadata', 'version'])
    .where('object_type', '=', type)
    .where('object_id', 'in', ids.map(String))
    .$if(reader !== 'operator', (q) => q.where('client_id', '=', Number(reader)))
    .execute();
  return new Map(
    rows.map(({ object_id, metadata, ...row }) => [
      object_id,
      { ...row, metadata: metadata as Metadata },
    ]),
  );
}

/**
 * For the `where` of a list of objects of one type: that the object with the id of that column has this reference of
 * the reader's client.
 */
export function hasReference(
  { type, reader }: { readonly type: string; readonly reader: NamesReader },
  id: Expression<unknown>,
  reference: string,
): Expression<SqlBool> {
  const { exists, selectFrom } = expressionBuilder<DB, never>();
  return exists(
    selectFrom('caller_names as n')
      .select('n.object_id')
      .where('n.reference', '=', reference)
      .where('n.object_type', '=', type)
      .where('n.object_id', '=', sql<string>`${id}::text`)
      .$if(reader !== 'operator', (q) => q.where('n.client_id', '=', Number(reader))),
  );
}
