import { type Db, run } from '../db/db.ts';
import type { Row } from '../db/row.ts';

/** Whose names are claimed, and for what kind of thing. */
export type ClaimedNames = Pick<
  Row<'caller_names'>,
  'client_id' | 'user_id' | 'kind' | 'object_type'
>;

export interface NamedThing {
  readonly object_id: string;
  readonly reference: string;
}

/**
 * Claims references for things that one request makes many of, in its transaction. Answers those that other things of
 * the client and kind have: then undo it. In their order, so that two requests wait for one another in one direction.
 */
export async function claimReferences(
  tx: Db,
  { client_id, user_id, kind, object_type }: ClaimedNames,
  things: readonly NamedThing[],
): Promise<string[]> {
  const rows = await run<{ reference: string }>(
    tx,
    `insert into caller_names (object_type, object_id, client_id, user_id, kind, reference, created_at)
     select $1, t.object_id, $2, $3, $4, t.reference, service_now()
       from unnest($5::text[], $6::text[]) t (object_id, reference) order by t.reference collate "C"
     on conflict on constraint caller_names_reference do nothing returning reference`,
    [
      ...[object_type, client_id, user_id, kind],
      ...[things.map(({ object_id }) => object_id), things.map(({ reference }) => reference)],
    ],
  );
  if (rows.length === things.length) return [];
  const claimed = new Set(rows.map(({ reference }) => reference));
  return things.map(({ reference }) => reference).filter((one) => !claimed.has(one));
}

/** Gives up the names of things that were not made after all. */
export async function dropReferences(
  tx: Db,
  object_type: string,
  object_ids: readonly string[],
): Promise<void> {
  const text = 'delete from caller_names where object_type = $1 and object_id = any($2)';
  await run(tx, text, [object_type, object_ids]);
}

/** Those of the references that things of the client and kind have. */
export async function usedReferences(
  db: Db,
  { client_id, kind }: Pick<ClaimedNames, 'client_id' | 'kind'>,
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  const text = `select reference from caller_names where client_id = $1 and kind = $2 and reference = any($3)`;
  const rows = await run<{ reference: string }>(db, text, [client_id, kind, references]);
  return new Set(rows.map(({ reference }) => reference));
}
